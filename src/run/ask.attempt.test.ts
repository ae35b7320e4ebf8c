import { expect, test } from 'vitest'
import { wishSchema } from '../core/ask.ts'
import { longestText } from '../core/basics.ts'
import type { ModelPart } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { attempt } from './ask.ts'

const call = { model: 'm', system: '', user: [], shape: { name: 'answer', json: {} }, maxOutputTokens: 10 }
const silently = { allow: (tokens: number) => tokens, text() {}, thinking() {} }

const heard = (parts: readonly ModelPart[], total: number) =>
  attempt(
    scripted(() => ({ parts })),
    call,
    { first: total, between: total, total },
    new AbortController().signal,
    silently,
  )

test('[R47] a deadline that is longer than a timer can be doesn’t end a call at once', async () => {
  const parts: ModelPart[] = [
    { type: 'text', text: 'Yes.' },
    { type: 'finish', reason: 'stop' },
  ]
  expect(await heard(parts, 3e9)).toMatchObject({ text: 'Yes.', error: undefined })
  const wish = { question: 'Is it so?', deadline: 3e6 }
  expect(wishSchema.safeParse(wish).error?.issues[0]?.message).toBe('A deadline is at most 2147483 seconds.')
})

test('[R48] a reply that is longer than a log takes is given up', async () => {
  const piece: ModelPart = { type: 'text', text: 'x'.repeat(longestText / 4) }
  const { error } = await heard(
    [piece, piece, piece, piece, piece, piece, { type: 'finish', reason: 'stop' }],
    1e5,
  )
  expect(error).toEqual({ kind: 'cut-off', message: 'the reply is longer than 1000000 characters' })
})
