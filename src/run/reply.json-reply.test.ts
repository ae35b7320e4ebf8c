import { expect, test } from 'vitest'
import { yesOrNo } from '../../test/contracts/core-testing.ts'
import { fold } from '../core/fold.ts'
import { readReply } from '../core/reply.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { longestReply, objectsIn } from './reply.ts'

const nested = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)

const handedIn = async (reasoning: string, more: object = {}) => {
  const provider = scripted(() => ({ headline: 'So.', reasoning, confidence: 0.5, ...more }))
  const { result } = createRoundtable({ env: {}, providers: [provider] }).ask({
    question: 'Is it so?',
    seats: ['scripted/a'],
    protocol: 'poll',
  })
  const { events } = await result
  return Object.values(fold([...events]).roundsSoFar[0]!.handedIn)
}

test('[R49] an object is read if its nesting can be written again', () => {
  expect(objectsIn(nested(20))).toHaveLength(1)
  expect(objectsIn(nested(21))).toEqual([])
  expect(objectsIn(nested(100_000))).toEqual([])
})

test('[R49] a reply without end is refused, with the reason', async () => {
  expect(await handedIn('x'.repeat(longestReply - 100))).toMatchObject([{ status: 'given' }])
  expect(await handedIn('x'.repeat(longestReply))).toMatchObject([
    { status: 'silent', error: { kind: 'bad-shape', message: 'the reply is longer than 200000 characters' } },
  ])
})

test('[Q20] a seat that declines in its form has abstained; a value counts whatever its words are', async () => {
  expect(await handedIn('Not mine to say.', { declines: 'I take no sides.' })).toMatchObject([
    { status: 'abstained', words: 'I take no sides.' },
  ])
  expect(await handedIn('So it is.', { declines: null })).toMatchObject([{ status: 'given' }])
  const headline = 'I cannot provide medical advice.'
  expect(await handedIn('', { headline })).toMatchObject([{ status: 'abstained', words: headline }])
  const vote = readReply({ headline, choice: 'Yes' }, yesOrNo, false)
  expect(vote).toMatchObject({ ok: true, answer: { choice: 'Yes' } })
})
