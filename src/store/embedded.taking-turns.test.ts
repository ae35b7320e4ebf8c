import { expect, test } from 'vitest'
import { takingTurns } from './embedded.ts'
import { memoryStore } from './memory.ts'

test('[S33] timers fire while calls of an archive follow each other', async () => {
  const archive = takingTurns(memoryStore())
  let fired = false
  const timer = setTimeout(() => {
    fired = true
  }, 1)
  // Without turns this would go on until the limit, whatever the machine.
  const until = Date.now() + 5_000
  while (!fired && Date.now() < until) await archive.settings()
  clearTimeout(timer)
  expect(fired).toBe(true)
})
