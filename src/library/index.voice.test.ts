import { expect, test } from 'vitest'
import type { ModelCall } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import type { AskInput } from '../table/ask.ts'
import { createRoundtable } from './index.ts'

const voicesFor = async (input: Partial<AskInput>) => {
  const calls: ModelCall[] = []
  const provider = scripted(call => {
    calls.push(call)
    return { headline: 'So.', reasoning: 'Because.', confidence: 0.5 }
  })
  const seats = ['scripted/a', { model: 'scripted/b', temperature: 0.2, effort: 'low' as const }]
  const { result } = createRoundtable({ env: {}, providers: [provider] }).ask({
    ...{ question: 'Is it so?', seats, protocol: 'poll' },
    ...input,
  })
  const session = await result
  const of = (model: string) => {
    const { temperature, effort, seed } = calls.find(call => call.model === model)!
    return { temperature, effort, seed }
  }
  return { a: of('a'), b: of('b'), seats: session.seats }
}

test('[R28] temperature and effort reach the model: the table’s, if the seat has none of its own', async () => {
  const { a, b, seats } = await voicesFor({ temperature: 0.9, effort: 'high' })
  expect(a).toMatchObject({ temperature: 0.9, effort: 'high' })
  expect(b).toMatchObject({ temperature: 0.2, effort: 'low' })
  expect(seats).toMatchObject([
    { temperature: 0.9, effort: 'high' },
    { temperature: 0.2, effort: 'low' },
  ])
})

test('[R28] what nobody set is left out', async () => {
  const { a, seats } = await voicesFor({})
  expect(a).toEqual({ temperature: undefined, effort: undefined, seed: undefined })
  expect(seats[0]).not.toHaveProperty('temperature')
})

test('[R28] a seed is passed on only if a person gave one: the same each time, another for each seat', async () => {
  const [one, two] = [await voicesFor({ seed: 7 }), await voicesFor({ seed: 7 })]
  expect(one.a.seed).toBe(two.a.seed)
  expect(one.a.seed).not.toBe(one.b.seed)
  expect(one.a.seed).toBeLessThan(2 ** 31)
  expect((await voicesFor({ seed: 8 })).a.seed).not.toBe(one.a.seed)
})

test('[Q53] a seed that nobody gave has 64 random bits', async () => {
  const provider = scripted(() => ({ headline: 'So.', reasoning: 'Because.', confidence: 0.5 }))
  const roundtable = createRoundtable({ env: {}, providers: [provider], newId: () => 'fixed' })
  const input = { question: 'Is it so?', seats: ['scripted/a'], protocol: 'poll' }
  const seeds = await Promise.all([1, 2].map(async () => (await roundtable.ask(input).result).seed))
  for (const seed of seeds) expect(seed).toMatch(/^fixed [0-9a-f]{16}$/)
  expect(new Set(seeds).size).toBe(2)
})
