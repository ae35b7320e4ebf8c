import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionOf, type Setting, seatsOf, silent, table } from '../../test/contracts/core-testing.ts'
import type { Figures } from '../core/opening.ts'
import { latestRound } from '../core/session.ts'
import { favouriteOf, marketOf, priceShift } from './group.ts'
import { verdictOf } from './verdict.ts'

const question = questionOf({ format: 'choice', options: ['Rail', 'Road'] })

type Bet = readonly [choice: string, confidence: number | null]

const said = (bets: readonly Bet[]) => bets.map(([choice, confidence]) => ({ choice, confidence }))

/** A market after rounds of bets, each summed up as the protocol does. */
const market = (rounds: readonly (readonly Bet[])[], setting: Setting = {}) => {
  let log = table({ seats: rounds[0]!.length, question, ...setting })
  for (const [index, bets] of rounds.entries()) {
    log = log.round(index, said(bets))
    const figures = marketOf(log.session, latestRound(log.session)!)
    log = log.and({ type: 'digest-written', round: index, digest: { positions: [], figures }, by: 'code' })
  }
  const figures = latestRound(log.session)!.digest!.figures as Figures & { kind: 'prices' }
  return { session: log.session, ...figures }
}

const priceOf = (prices: readonly { option: string; price: number }[], option: string): number =>
  prices.find(one => one.option === option)!.price

const bets = fc.array(fc.tuple(fc.constantFrom('Rail', 'Road'), fc.double({ min: 0, max: 1, noNaN: true })), {
  minLength: 1,
  maxLength: 8,
})

describe('the market', () => {
  test('[P44] prices are the mean of what seats believe, and add up to one', () => {
    const { prices } = market([
      [
        ['Rail', 0.9],
        ['Rail', 0.7],
        ['Road', 0.8],
      ],
    ])
    expect(priceOf(prices, 'Rail')).toBeCloseTo((0.9 + 0.7 + 0.2) / 3)
    fc.assert(
      fc.property(bets, one => {
        const sum = market([one]).prices.reduce((total, { price }) => total + price, 0)
        expect(sum).toBeCloseTo(1, 4)
      }),
    )
  })

  test('[P44] a seat without a confidence has no say, and without any all options cost the same', () => {
    expect(
      priceOf(
        market([
          [
            ['Rail', 0.9],
            ['Road', null],
          ],
        ]).prices,
        'Rail',
      ),
    ).toBeCloseTo(0.9)
    expect(market([[['Rail', null]]]).prices.map(({ price }) => price)).toEqual([0.5, 0.5])
    expect(market([[['Rail', 0.1]]]).prices.map(({ price }) => price)).toEqual([0.5, 0.5])
  })

  test('[P45] a stake is what confidence is worth at the shown price, and nothing at a price above it', () => {
    const first = market([
      [
        ['Rail', 0.8],
        ['Road', 0.6],
      ],
    ])
    expect(first.stakes[0]).toMatchObject({ option: 'Rail', price: 0.5, stake: 0.6 })
    const price = priceOf(first.prices, 'Rail')
    const { stakes } = market([
      [
        ['Rail', 0.8],
        ['Road', 0.6],
      ],
      [
        ['Rail', 0.8],
        ['Rail', 0.55],
      ],
    ])
    expect(stakes[0]!.stake).toBeCloseTo((0.8 - price) / (1 - price))
    expect(stakes[1]).toMatchObject({ stake: 0, ifRight: 0, ifWrong: 0 })
  })

  test('[P45] saying what one believes has the highest expected value', () => {
    const share = fc.double({ min: 0.55, max: 0.95, noNaN: true })
    fc.assert(
      fc.property(share, share, (belief, told) => {
        const expected = (confidence: number): number => {
          const { ifRight, ifWrong } = market([[['Rail', confidence]]]).stakes[0]!
          return belief * ifRight + (1 - belief) * ifWrong
        }
        expect(expected(belief)).toBeGreaterThanOrEqual(expected(told) - 1e-5)
      }),
    )
  })

  test('[P46] purses are equal without a track record', () => {
    const one: readonly Bet[] = [
      ['Rail', 0.9],
      ['Road', 0.9],
    ]
    expect(priceOf(market([one]).prices, 'Rail')).toBeCloseTo(0.5)
  })

  test('[P46] a track record fills a purse, within limits', () => {
    const models = seatsOf(2).map(({ model }) => model)
    const rail = (setting: Setting): number =>
      priceOf(
        market(
          [
            [
              ['Rail', 0.9],
              ['Road', 0.9],
            ],
          ],
          setting,
        ).prices,
        'Rail',
      )
    const record = (right: number) => ({ record: { [models[0]!]: { right, of: 10 } } })
    expect(rail(record(8))).toBeCloseTo(0.5)
    expect(rail(record(10))).toBeGreaterThan(0.6)
    expect(rail(record(2))).toBeLessThan(0.4)
    expect(rail({ record: { [models[0]!]: { right: 999, of: 999 } } })).toBeCloseTo((4 * 0.9 + 0.1) / 5)
  })

  test('[P47] how far prices moved is the widest change of one', () => {
    const { session } = market([
      [
        ['Rail', 0.6],
        ['Rail', 0.6],
      ],
      [
        ['Rail', 0.9],
        ['Rail', 0.6],
      ],
    ])
    expect(priceShift(session, latestRound(session)!)).toBeCloseTo(0.15)
  })

  test('[P48] if prices and seats differ, the verdict counts seats and says so', () => {
    const { session } = market([
      [
        ['Rail', 0.99],
        ['Road', 0.51],
        ['Road', 0.51],
      ],
    ])
    expect(favouriteOf(session)).toBe('Rail')
    expect(verdictOf(session)).toMatchObject({ leading: 'Road', agree: 2 })
    expect(verdictOf(session).flags).toContain('market dissents')
    const agreed = market([
      [
        ['Rail', 0.9],
        ['Rail', 0.6],
        ['Road', 0.6],
      ],
    ]).session
    expect(verdictOf(agreed).flags).not.toContain('market dissents')
    expect(
      favouriteOf(
        market([
          [
            ['Rail', 0.7],
            ['Road', 0.7],
          ],
        ]).session,
      ),
    ).toBeNull()
  })

  test('[P44] a silent seat stakes nothing', () => {
    const { session } = table({ seats: 2, question }).round(0, [
      { choice: 'Rail', confidence: 0.8 },
      silent(),
    ])
    const figures = marketOf(session, latestRound(session)!)
    expect(figures).toMatchObject({ stakes: [{ seat: 's1' }] })
  })
})
