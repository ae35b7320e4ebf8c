/** A maker that ignores its limit: 100,000 characters, whatever it was allowed, against a budget. */

import { expect } from 'vitest'
import type { Provider } from '../../src/models/provider.ts'
import { type Asked, ask } from '../../src/run/ask.ts'
import { callQueues, meterFor } from '../../src/run/budget.ts'
import { callTo } from '../contracts/providers-contract.ts'

const budget = 5_000
export const flood = `{"headline": "${'x'.repeat(100_000)}"}`

export const askedUnderBudget = (provider: Provider, model: string): Promise<Asked<unknown>> => {
  const { system, user, shape, signal } = callTo(model)
  return ask({
    ...{ provider, model, signal, prompt: { system, user, shape }, read: raw => raw },
    meter: meterFor({ tokens: budget }),
    queue: callQueues()(),
    deadlines: { first: 30_000, between: 30_000, total: 30_000 },
    clock: () => 0,
    name: 'a flood',
  })
}

export const expectCutOff = (asked: Asked<unknown>): void => {
  expect(asked).toMatchObject({
    status: 'silent',
    error: { kind: 'cut-off', message: expect.stringContaining('It began: "{\\"headline\\": \\"xxx') },
    usage: { estimated: true },
  })
  const { inputTokens = 0, outputTokens = 0, excessTokens } = asked.usage ?? {}
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(budget)
  expect(outputTokens).toBeGreaterThan(600)
  expect(excessTokens).toBeUndefined()
}
