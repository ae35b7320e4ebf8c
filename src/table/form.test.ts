import { expect, test } from 'vitest'
import { fold } from '../core/fold.ts'
import { scripted } from '../models/scripted.ts'
import { type AskInput, askInputSchema } from './ask.ts'
import { forkOf } from './fork.ts'
import { reachOf } from './reach.ts'
import { openingOf } from './resolve.ts'

const reach = reachOf({ env: {}, providers: [scripted(() => '')] })

test("[Q17] no request says which comes first: the log names no form, and a fork of a bench's session reasons first", async () => {
  const input: AskInput = { question: 'Is it so?', seats: ['scripted/a'] }
  const opened = await openingOf(input, 'x', reach).first(() => 0)
  expect(opened).not.toHaveProperty('form')
  expect(fold([{ ...opened, form: 'answer-first' }]).form).toBe('answer-first')
  expect(forkOf(fold([{ ...opened, form: 'answer-first' }]), {})).not.toHaveProperty('form')
  expect(askInputSchema.shape).not.toHaveProperty('form')
})
