import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { figureText, toleranceText } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import { importedLevel } from '../count/verdict-line.ts'
import { plainReport } from '../report/report.ts'
import { figureOf } from './rules.ts'

const words = (values: readonly number[], scale: 'linear' | 'log' = 'linear', unit?: string): string =>
  figureText(figureOf(values, scale)!, unit)

test('[V60] a table’s number has no more digits than its spread supports, and shows its range', () => {
  expect(words([80, 90, 100, 80], 'log', 'tuners')).toBe('about 85 tuners (answers from 80 to 100)')
  expect(words([384_399, 384_400], 'linear', 'km')).toBe('about 384,400 km (answers from 384,399 to 384,400)')
  expect(words([2, 3])).toBe('about 2.5 (answers from 2 to 3)')
  expect(words([100, 1_000_000], 'log')).toBe('about 10,000 (answers from 100 to 1,000,000)')
  expect(words([10, 11.7, 12.4, 13, 19, 90])).toBe('about 13 (middle half from 12 to 19)')
  expect(words([85, 90, 120, 120, 300, 5_000], 'log')).toBe('about 120 (middle half from 90 to 300)')
  expect(words([90, 100, 105, 110, 250, 400], 'linear', 'km')).toBe(
    'about 110 km (middle half from 100 to 250)',
  )
  expect(words([7, 7, 7])).toBe('7')
  expect(words([-4, 5])).toBe('about 0.5 (answers from -4 to 5)')
  expect(words([0, 0, 1])).toBe('about 0 (answers from 0 to 1)')
  expect(words([1, 1, 300, 900, 900])).toBe('about 300 (middle half from 1 to 900)')
  expect(figureOf([], 'linear')).toBeUndefined()
})

test('[V60] rounding stays within the spread, in any order of the answers', () => {
  const value = fc.oneof(
    fc.integer({ min: -1_000, max: 1_000_000 }),
    fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
  )
  const scale = fc.constantFrom('linear' as const, 'log' as const)
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), scale, (values, on) => {
      const figure = figureOf(values, on)!
      const slack = Math.max(figure.step, 1e-9 * Math.abs(figure.about))
      expect(figure.about).toBeGreaterThanOrEqual(Math.min(...values) - slack)
      expect(figure.about).toBeLessThanOrEqual(Math.max(...values) + slack)
      expect(figureOf(values.toReversed(), on)).toEqual(figure)
    }),
  )
})

test('[V61] the verdict gives the rounded number with its range; the exact median stays in the tally', () => {
  const question = questionOf({ format: 'number', scale: 'log', unit: 'tuners' })
  const { session } = table({ seats: 4, question, prompts: 2 }).round(0, [80, 80, 90, 100])
  const verdict = verdictOf(session)
  expect(verdict).toMatchObject({ level: 'unanimous', final: { median: 84.8528 } })
  expect(verdict.line).toBe('All 4 models agreed; about 85 tuners (answers from 80 to 100)')
  expect(importedLevel(verdict.line, 4)).toEqual({ level: 'unanimous', agree: 4 })
  expect(plainReport(session).answer).toBe('About 85 tuners (answers from 80 to 100).')
  const split = table({ seats: 3, question, prompts: 2 }).round(0, [80, 90, 5_000])
  expect(verdictOf(split.session).line).toBe(
    '2 of 3 models agreed; about 90 tuners (answers from 80 to 5000)',
  )
})

test('[V62] what counts as the same number is said in words', () => {
  expect(toleranceText({ by: 'factor', factor: Math.sqrt(10) })).toBe(
    'Answers count as the same if the largest of them is at most about 3 times the smallest.',
  )
  expect(toleranceText({ by: 'share', share: 0.1 })).toBe(
    'Answers count as the same if they are within 10% of each other.',
  )
  expect(toleranceText({ by: 'amount', amount: 500, given: true }, 'km')).toBe(
    'Answers count as the same if they are within 500 km of each other.',
  )
  expect(toleranceText({ by: 'amount', amount: 0, given: false })).toBe(
    'Answers count as the same if they differ only by rounding.',
  )
  expect(toleranceText({ by: 'amount', amount: 12.34, given: false }, '%')).toBe(
    'Answers count as the same if they are within about 12 % of each other, as far as seats would still believe.',
  )
})
