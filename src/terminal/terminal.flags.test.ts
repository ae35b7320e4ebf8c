import { expect, test } from 'vitest'
import { UsageError } from '../core/basics.ts'
import { budgetFrom, formatFrom, numberFrom, optionsFrom, roundsFrom } from './terminal.ts'

test('[T5] options are separated by commas, or by bars where there is one', () => {
  expect(optionsFrom('Yes, No')).toEqual(['Yes', 'No'])
  expect(optionsFrom('Yes, gladly|No, never')).toEqual(['Yes, gladly', 'No, never'])
})

test('[T5] a format that does not exist is refused with those that do', () => {
  expect(formatFrom('ranking')).toBe('ranking')
  expect(() => formatFrom('essay')).toThrow(/open, choice, ranking, number/)
})

test.each([
  ['0.50', { usd: 0.5 }],
  ['$0.50', { usd: 0.5 }],
  ['20000tokens', { tokens: 20_000 }],
  ['1.5, 20000 tokens', { usd: 1.5, tokens: 20_000 }],
])('[T6] --budget %s', (text, budget) => {
  expect(budgetFrom(text)).toEqual(budget)
})

test.each(['', 'much', '-1', '0', '1,2', '1e3', 'tokens'])(
  '[T6] --budget %j is refused with its form',
  text => {
    expect(() => budgetFrom(text)).toThrow(UsageError)
    expect(() => budgetFrom(text)).toThrow(/20000tokens/)
  },
)

test('numbers out of range are refused with the range', () => {
  expect(roundsFrom('2')).toBe(2)
  for (const text of ['5', '-1', '1.5', 'two', ' ']) expect(() => roundsFrom(text)).toThrow(/from 0 to 4/)
  expect(() => numberFrom('--deadline', 1)('0')).toThrow('--deadline 0: give a number of at least 1.')
})
