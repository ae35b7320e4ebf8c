import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import { quartilesOf } from '../core/rules.ts'
import { latestRound } from '../core/session.ts'
import { distanceBetween, outliersIn, shiftBetween, statisticsOf } from './group.ts'

const number = questionOf({ format: 'number', unit: 'km' })
const choice = questionOf({ format: 'choice', options: ['Rail', 'Road', 'River'] })
const ranking = questionOf({ format: 'ranking', options: ['Rail', 'Road', 'River'] })

const closed = (question: typeof number, said: readonly Said[]) => {
  const { session } = table({ seats: said.length, question }).round(0, said)
  return { session, round: latestRound(session)! }
}

describe('statistics of a group', () => {
  test('[P40] a number has a median and quartiles, on its scale', () => {
    expect(quartilesOf([1, 2, 3, 4, 100], 'linear')).toEqual({ low: 2, median: 3, high: 4 })
    expect(quartilesOf([1, 100], 'log')).toEqual({ low: 1, median: 10, high: 100 })
    expect(quartilesOf([7], 'linear')).toEqual({ low: 7, median: 7, high: 7 })
    expect(quartilesOf([], 'linear')).toBeUndefined()
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), values => {
        const { low, median, high } = quartilesOf(values, 'linear')!
        expect(low).toBeLessThanOrEqual(median)
        expect(median).toBeLessThanOrEqual(high)
      }),
    )
  })

  test('[P40] choices have shares of those who answered, rankings median places, and silence nothing', () => {
    const shares = closed(choice, ['Rail', 'Rail', 'Road', silent()])
    expect(statisticsOf(shares.session, shares.round)).toEqual({
      kind: 'shares',
      shares: [
        { position: 'Rail', share: 2 / 3 },
        { position: 'Road', share: 1 / 3 },
      ],
    })
    const orders: Said[] = [
      ['Road', 'Rail', 'River'],
      ['Road', 'River', 'Rail'],
      ['Rail', 'Road', 'River'],
    ]
    const places = closed(ranking, orders)
    expect(statisticsOf(places.session, places.round)).toEqual({
      kind: 'places',
      places: [
        { option: 'Road', median: 1 },
        { option: 'Rail', median: 2 },
        { option: 'River', median: 3 },
      ],
    })
    const nobody = closed(number, [silent()])
    expect(statisticsOf(nobody.session, nobody.round)).toBeUndefined()
  })

  test('[P41] far from the group is outside of the middle half, or with fewer than a quarter', () => {
    const numbers = closed(number, [10, 11, 12, 13, 90])
    expect(outliersIn(numbers.session, numbers.round)).toEqual(['s1', 's5'])
    const choices = closed(choice, ['Rail', 'Rail', 'Rail', 'Rail', 'Road'])
    expect(outliersIn(choices.session, choices.round)).toEqual(['s5'])
    const even = closed(choice, ['Rail', 'Rail', 'Road', 'Road'])
    expect(outliersIn(even.session, even.round)).toEqual([])
    const last: Said[] = [
      ['Rail', 'Road', 'River'],
      ['Rail', 'River', 'Road'],
      ['River', 'Road', 'Rail'],
    ]
    const orders = closed(ranking, last)
    expect(outliersIn(orders.session, orders.round)).toEqual(['s3'])
    const typed = questionOf({ format: 'ranking', options: ['Rail', 'Road', 'River', 'Sea'] })
    const tied = closed(typed, [
      ['Rail', 'River', 'Road', 'Sea'],
      ['River', 'Rail', 'Sea', 'Road'],
      ['Rail', 'Sea', 'River', 'Road'],
      ['River', 'Road', 'Rail', 'Sea'],
    ])
    expect(outliersIn(tied.session, tied.round)).toEqual([])
  })

  test('[P43] the distance between numbers is the widest gap between their distributions', () => {
    expect(distanceBetween([1, 2, 3, 4], [1, 2, 3, 4])).toBe(0)
    expect(distanceBetween([1, 2, 3, 4], [1, 2, 3, 9])).toBe(0.25)
    expect(distanceBetween([1, 2], [8, 9])).toBe(1)
  })

  test('[P43] between camps it is the part of the table that would have to move', () => {
    const { session } = table({ seats: 4, question: choice })
      .round(0, ['Rail', 'Rail', 'Road', 'Road'])
      .round(1, ['Rail', 'Rail', 'Rail', 'River'])
    const [before, after] = session.roundsSoFar
    expect(shiftBetween(session, before!, after!)).toBe(0.5)
    expect(shiftBetween(session, before!, before!)).toBe(0)
  })
})
