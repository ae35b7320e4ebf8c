import { expect, test } from 'vitest'
import { fold } from '../core/fold.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { longestReply, objectsIn } from './reply.ts'

const nested = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)

const handedIn = async (reasoning: string) => {
  const provider = scripted(() => ({ headline: 'So.', reasoning, confidence: 0.5 }))
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
