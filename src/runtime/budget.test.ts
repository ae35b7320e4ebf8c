import { expect, test } from 'vitest'
import { costOf, meterFor } from './budget.ts'

const price = { input: 1, output: 10, cachedInput: 0.1 }
const call = { inputTokens: 1_000, outputTokens: 500 }

test('[R4] cached input counts at its own price', () => {
  expect(costOf({ inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 }, price)).toBeCloseTo(
    0.6 + 0.04 + 1,
  )
})

test('[R5] no call is started that would exceed the budget in dollars', () => {
  const meter = meterFor({ usd: 0.01 })
  expect(meter.reserve(call, price)).toBeDefined()
  expect(meter.reserve(call, price)).toBeUndefined()
  expect(meter.words).toBe('The budget of $0.01 has no room for another call.')
})

test('[R5] what a call did not use is free again, and what it used beyond its reservation is not', () => {
  const meter = meterFor({ tokens: 2_000 })
  meter.reserve(call, price)?.settle({ inputTokens: 400, outputTokens: 100, costUsd: null })
  const second = meter.reserve(call, price)
  expect(second).toBeDefined()
  second?.settle({ inputTokens: 1_000, outputTokens: 600, costUsd: null })
  expect(meter.reserve({ inputTokens: 1, outputTokens: 0 }, price)).toBeUndefined()
})

test('[R5] an unknown price counts as the highest, so that the budget holds', () => {
  const meter = meterFor({ usd: 0.05 })
  expect(meter.reserve({ inputTokens: 1_000, outputTokens: 600 }, undefined)).toBeUndefined()
  expect(meterFor({ usd: 0.07 }).reserve({ inputTokens: 1_000, outputTokens: 600 }, undefined)).toBeDefined()
})

test('[R5] a resumed session continues under the same budget', () => {
  const before = [{ usage: { inputTokens: 1_500, outputTokens: 400, costUsd: null } }]
  expect(meterFor({ tokens: 2_000 }, before).reserve(call, price)).toBeUndefined()
})
