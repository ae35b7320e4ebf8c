import { expect, test } from 'vitest'
import { costOf, meterFor } from './budget.ts'

const price = { input: 1, output: 10, cachedInput: 0.1 }
const call = { inputTokens: 1_000, leastOutput: 500, mostOutput: 500 }

test('[R4] cached input counts at its own price', () => {
  expect(costOf({ inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 }, price)).toBeCloseTo(
    0.6 + 0.04 + 1,
  )
})

test('[R5] no call is started that would exceed the budget in dollars', async () => {
  const meter = meterFor({ usd: 0.01 })
  const first = await meter.reserve(call, price)
  first?.settle({ inputTokens: 1_000, outputTokens: 500, costUsd: null })
  expect(first).toBeDefined()
  expect(await meter.reserve(call, price)).toBeUndefined()
  expect(meter.words).toBe('The budget of $0.01 has no room for another call.')
})

test('[R5] what a call did not use is free again, and what it used beyond its reservation is not', async () => {
  const meter = meterFor({ tokens: 2_000 })
  const first = await meter.reserve(call, price)
  first?.settle({ inputTokens: 400, outputTokens: 100, costUsd: null })
  const second = await meter.reserve(call, price)
  expect(second).toBeDefined()
  second?.settle({ inputTokens: 1_000, outputTokens: 600, costUsd: null })
  expect(meter.exceeded).toBe(true)
  expect(await meter.reserve({ inputTokens: 1, leastOutput: 0, mostOutput: 0 }, price)).toBeUndefined()
})

test('[R5] an unknown price counts as the highest, so that the budget holds', async () => {
  const wanted = { inputTokens: 1_000, leastOutput: 600, mostOutput: 600 }
  expect(await meterFor({ usd: 0.05 }).reserve(wanted, undefined)).toBeUndefined()
  expect(await meterFor({ usd: 0.07 }).reserve(wanted, undefined)).toBeDefined()
})

test('[R5] a resumed session continues under the same budget', async () => {
  const before = [{ inputTokens: 1_500, outputTokens: 400, costUsd: null }]
  expect(await meterFor({ tokens: 2_000 }, before).reserve(call, price)).toBeUndefined()
})

test('[R45] a call may use no more than is left, at the highest price that its tokens can have', async () => {
  const wanted = { inputTokens: 1_000, leastOutput: 100, mostOutput: 4_000 }
  const cached = { input: 1, output: 10, cacheWrite: 4, reasoning: 20 }
  // $0.01 less $0.004 for input that is written to the cache leaves 300 tokens of reasoning; half of them are given.
  expect((await meterFor({ usd: 0.01 }).reserve(wanted, cached))?.outputTokens).toBe(150)
  expect((await meterFor({ tokens: 2_000 }).reserve(wanted, price))?.outputTokens).toBe(500)
  expect((await meterFor(undefined).reserve(wanted, price))?.outputTokens).toBe(4_000)
})

test('[R45] a call without room waits for the calls under way, and can be stopped', async () => {
  const meter = meterFor({ tokens: 2_000 })
  const first = await meter.reserve(call, price)
  const second = meter.reserve(call, price)
  first?.settle({ inputTokens: 300, outputTokens: 100, costUsd: null })
  expect((await second)?.outputTokens).toBe(500)
  const stop = new AbortController()
  const third = meter.reserve(call, price, stop.signal)
  stop.abort()
  expect(await third).toBeUndefined()
})

test('[R50] a reply that is longer by our count gets more room only if there is some, and no more than our count can be too high', async () => {
  const wanted = { inputTokens: 1_000, leastOutput: 100, mostOutput: 100 }
  const meter = meterFor({ tokens: 2_500 })
  const first = await meter.reserve(wanted, price)
  expect(first?.extend(50)).toBe(100)
  expect(first?.extend(150)).toBe(150)
  const second = await meter.reserve(wanted, price)
  expect(second?.extend(1_000)).toBe(350)
  expect(first?.extend(1_000)).toBe(150)
  second?.settle({ inputTokens: 1_000, outputTokens: 350, costUsd: null })
  expect(second?.extend(1_000)).toBe(350)
  first?.settle({ inputTokens: 1_000, outputTokens: 150, costUsd: null })
  expect(meter.exceeded).toBe(false)
  expect((await meterFor({ tokens: 90_000 }).reserve(wanted, price))?.extend(1_000)).toBe(400)
  expect((await meterFor({ usd: 0.003 }).reserve(wanted, price))?.extend(1_000)).toBe(200)
  expect((await meterFor(undefined).reserve(wanted, price))?.extend(1_000)).toBe(1_000)
})
