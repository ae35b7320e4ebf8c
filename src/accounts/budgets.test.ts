import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { amountFrom, budgetsIn } from './budgets.ts'

test('[AC69] a budget has dollars and tokens by day and month; what is not named stays, and "none" ends it', async () => {
  const budgets = budgetsIn(memoryStore())
  await budgets.set('ada', 'usd', { day: 5, month: 50 })
  expect(await budgets.set('ada', 'tokens', { day: 1_000 })).toEqual({
    day: { usd: 5, tokens: 1_000 },
    month: { usd: 50 },
  })
  expect(await budgets.set('ada', 'usd', { month: amountFrom('none', 'usd') })).toEqual({
    day: { usd: 5, tokens: 1_000 },
  })
  await budgets.set('ada', 'usd', { day: undefined })
  await budgets.set('ada', 'tokens', { day: undefined })
  expect(await budgets.of('ada')).toEqual({})
  expect(await budgets.spent(0)).toEqual([
    expect.objectContaining({ payer: 'team', today: { usd: 0, tokens: 0, calls: 0 } }),
  ])
})

test.each([
  ['-1', 'usd'],
  ['five', 'usd'],
  ['', 'usd'],
  ['0.5', 'tokens'],
  ['Infinity', 'tokens'],
] as const)('[AC69] "%s" is not an amount of %s', (text, unit) => {
  expect(() => amountFrom(text, unit)).toThrow(/isn't an amount/)
})
