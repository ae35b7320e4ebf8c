import { expect, test } from 'vitest'
import { combinedRanking, median } from './rules.ts'

test('[V1] a number’s median is the middle one, or between the two middle ones on the scale asked for', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([1, 4])).toBe(2.5)
  expect(median([1, 100], 'log')).toBe(10)
  expect(median([2, 3], 'log')).toBe(2.44949)
  expect(median([-1, 100], 'log')).toBe(49.5)
  expect(median([])).toBeUndefined()
})

test('[V2] rankings combine by Schulze’s method; ties keep the order of the options', () => {
  const times = (count: number, order: string) => Array.from({ length: count }, () => order.split(''))
  const wikipedia = [
    ...times(5, 'ACBED'),
    ...times(5, 'ADECB'),
    ...times(8, 'BEDAC'),
    ...times(3, 'CABED'),
    ...times(7, 'CAEBD'),
    ...times(2, 'CBADE'),
    ...times(7, 'DCEBA'),
    ...times(8, 'EBADC'),
  ]
  expect(combinedRanking('ABCDE'.split(''), wikipedia).join('')).toBe('EACBD')
  expect(combinedRanking(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c'])
  expect(combinedRanking(['a', 'b'], [['b', 'a']])).toEqual(['b', 'a'])
})
