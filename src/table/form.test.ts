import { expect, test } from 'vitest'
import { fold } from '../core/fold.ts'
import { scripted } from '../models/scripted.ts'
import type { AskInput } from './ask.ts'
import { forkOf } from './fork.ts'
import { reachOf } from './reach.ts'
import { openingOf } from './resolve.ts'

const reach = reachOf({ env: {}, providers: [scripted(() => '')] })
const first = (input: Partial<AskInput>) =>
  openingOf({ question: 'Is it so?', seats: ['scripted/a'], ...input }, 'x', reach).first(() => 0)

test('[Q17] the form that was asked for opens the log, and a fork keeps it', async () => {
  const opened = await first({ form: 'answer-first' })
  expect(opened.form).toBe('answer-first')
  expect(forkOf(fold([opened]), {}).form).toBe('answer-first')
  expect(forkOf(fold([opened]), { form: 'reasoning-first' }).form).toBe('reasoning-first')
})

test('[Q17] without a wish the log names no form: the reasoning comes first', async () => {
  const opened = await first({})
  expect(opened).not.toHaveProperty('form')
  expect(forkOf(fold([opened]), {})).not.toHaveProperty('form')
  await expect(async () => first({ form: 'headline-first' as 'answer-first' })).rejects.toThrow(/form/)
})
