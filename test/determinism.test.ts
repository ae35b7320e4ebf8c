/** The same seed and the same replies give the same log, byte for byte. */

import { expect, test } from 'vitest'
import type { SessionEvent } from '../src/core/event.ts'
import { fold } from '../src/core/fold.ts'
import { createRoundtable } from '../src/library/index.ts'
import { tour } from '../src/library/tour.ts'
import { callQueues } from '../src/run/budget.ts'
import { run } from '../src/run/run.ts'
import { memoryStore } from '../src/store/memory.ts'

const ticking = (): (() => number) => {
  const start = Date.parse('2026-01-01')
  return () => start
}

const runTour = async (seed: string): Promise<readonly SessionEvent[]> => {
  const { options, input } = tour(true)
  const store = memoryStore()
  const roundtable = createRoundtable({ ...options, store, clock: ticking(), newId: () => 'fixed' })
  await roundtable.ask({ ...input, seed }).result
  return store.read('fixed')
}

test('[R18] the same seed and the same replies give the same log, byte for byte', async () => {
  const [first, second] = await Promise.all([runTour('one'), runTour('one')])
  expect(JSON.stringify(first)).toBe(JSON.stringify(second))
})

test('[R19] a session goes on from any place of its log, and asks for nothing that is in it', async () => {
  const log = await runTour('one')
  const { options } = tour(true)
  const complete = fold(log)
  for (let place = 1; place < log.length; place += 3) {
    const asked: string[] = []
    const providers = options.providers!.map(provider => ({
      ...provider,
      stream: (call: Parameters<typeof provider.stream>[0]) => {
        asked.push(`${call.model} ${call.shape.name} ${call.user.length}`)
        return provider.stream(call)
      },
    }))
    const runner = {
      providers,
      openQueue: callQueues(),
      clock: ticking(),
      signal: new AbortController().signal,
      publish() {},
    }
    const resumed = await run(runner, log.slice(0, place))
    expect(resumed.slice(0, place)).toEqual(log.slice(0, place))
    expect(fold(resumed).report).toEqual(complete.report)
    const answers = resumed.filter(event => event.type === 'answer-given')
    expect(new Set(answers.map(event => `${event.round} ${event.seat}`)).size).toBe(answers.length)
    const before = log
      .slice(0, place)
      .filter(event => event.type === 'answer-given' || event.type === 'seat-silent').length
    const tries = resumed.slice(place).filter(event => event.type === 'seat-silent').length * 2
    expect(asked.filter(one => one.includes(' answer ')).length).toBe(12 - before + tries)
  }
})
