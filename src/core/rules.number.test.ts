import fc from 'fast-check'
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

const times = (count: number, order: string): string[][] =>
  Array.from({ length: count }, () => order.split(''))
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

test.each([
  ['AB', [], undefined, undefined],
  ['AB', ['BA'], 'B>A', ''],
  ['AB', ['AB', 'BA'], 'A=B', ''],
  ['CBA', ['ABC', 'ACB'], 'A>B=C', ''],
  ['CBA', ['ABC', 'BCA', 'CAB'], 'A=B=C', 'ABC'],
  ['DCBA', ['DABC', 'DBCA', 'DCAB'], 'D>A=B=C', 'ABC'],
  ['FEDCBA', ['ABCDEF', 'BCAEFD', 'CABFDE'], 'A=B=C>D=E=F', 'ABC DEF'],
])(
  '[V2] of the options %s, the rankings %j are together %s, with the cycles %j',
  (options, said, places, cycles) => {
    const combined = combinedRanking(
      options.split(''),
      said.map(order => order.split('')),
    )
    expect(combined?.places.map(place => place.join('=')).join('>')).toBe(places)
    expect(combined?.cycles.map(cycle => cycle.join('')).join(' ')).toBe(cycles)
  },
)

test('[V2] rankings combine by Schulze’s method, and a cycle that it settles is told', () => {
  const combined = combinedRanking('ABCDE'.split(''), wikipedia)
  expect(combined?.places.flat().join('')).toBe('EACBD')
  expect(combined?.cycles).toEqual([['A', 'B', 'C', 'D', 'E']])
})

const items = ['A', 'B', 'C', 'D', 'E']
const orders = fc.array(fc.shuffledSubarray(items, { minLength: items.length }), { maxLength: 7 })

test('[V2] the order in which options were typed changes nothing', () => {
  fc.assert(
    fc.property(orders, fc.shuffledSubarray(items, { minLength: items.length }), (said, typed) => {
      expect(combinedRanking(typed, said)).toEqual(combinedRanking(items, said))
    }),
  )
})

test('[V2] what is alike in all votes shares a place: with each ranking comes its reverse', () => {
  fc.assert(
    fc.property(orders, said => {
      const both = [...said, ...said.map(order => order.toReversed())]
      expect(combinedRanking(items, both)?.places).toEqual(said.length === 0 ? undefined : [items])
    }),
  )
})

test('[V2] what more than half put first stands alone in the first place', () => {
  fc.assert(
    fc.property(orders, said => {
      const first = [...Array(said.length + 1).fill(items), ...said]
      expect(combinedRanking(items, first)?.places[0]).toEqual(['A'])
    }),
  )
})
