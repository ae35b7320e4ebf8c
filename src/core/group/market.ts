/**
 * A market in which every seat maximises the logarithm of its purse. A seat with confidence c in an option that costs p
 * stakes (c − p) / (1 − p) of its purse. The purse then grows by c / p if the seat is right, and shrinks to
 * (1 − c) / (1 − p) if it is wrong. That is the log score against the price, so the best strategy is to say what one
 * believes. The price at which such stakes clear is the mean belief, weighted by purses.
 */
import { type Score, shrunkAccuracy } from '../aggregation/log-odds.ts'
import { givenIn } from '../camps/camp.ts'
import { type Round, roundAt, type Session, seatOf } from '../log/state.ts'
import type { Figures, Stake } from './figures.ts'

/** No seat may stake everything. */
const surest = 0.99

type Price = { readonly option: string; readonly price: number }

/** A seat that chooses an option thinks it at least as likely as any other. */
const beliefOf = (confidence: number, options: number): number =>
  Math.min(surest, Math.max(1 / options, confidence))

/** A track record may make a purse this many times larger or smaller, so that no seat rules the market. */
const richest = 4

const oddsOf = (score: Score): number => shrunkAccuracy(score) / (1 - shrunkAccuracy(score))

/** A model as accurate as we assume one without a record to be has a purse of 1. */
const earned = (score: Score): number => {
  const purse = oddsOf(score) / oddsOf({ right: 0, of: 0 })
  return Math.min(richest, Math.max(1 / richest, purse))
}

/** What a seat may stake: what it was given, or what its track record earned, or else 1. */
const purseOf = (session: Session, seat: string): number => {
  const score = session.record?.[seatOf(session, seat).model]
  return session.purses?.[seat] ?? (score ? earned(score) : 1)
}

const rounded = (value: number): number => Number(value.toFixed(6))

/** Each seat believes in its option; the rest of its belief is spread evenly over the others. */
const pricesIn = (session: Session, round: Round): Price[] => {
  const { options } = session.question
  const beliefs = givenIn(session, round).flatMap(({ seat, answer }) =>
    answer.confidence === null
      ? []
      : [
          {
            purse: purseOf(session, seat),
            option: answer.choice,
            belief: beliefOf(answer.confidence, options.length),
          },
        ],
  )
  const money = beliefs.reduce((sum, { purse }) => sum + purse, 0)
  return options.map(option => {
    const worth = beliefs.reduce(
      (sum, { purse, option: chosen, belief }) =>
        sum + purse * (chosen === option ? belief : (1 - belief) / (options.length - 1)),
      0,
    )
    return { option, price: rounded(money > 0 ? worth / money : 1 / options.length) }
  })
}

/** The prices that seats saw in a round: those of the round before, or equal ones. */
const shownIn = (session: Session, round: Round): readonly Price[] => {
  const figures = roundAt(session, round.index - 1)?.digest?.figures
  if (figures?.kind === 'prices') return figures.prices
  const { options } = session.question
  return options.map(option => ({ option, price: rounded(1 / options.length) }))
}

const stakesIn = (session: Session, round: Round): Stake[] => {
  const shown = new Map(shownIn(session, round).map(({ option, price }) => [option, price]))
  return givenIn(session, round).flatMap(({ seat, answer }) => {
    const price = shown.get(answer.choice ?? '')
    if (answer.choice === undefined || answer.confidence === null || price === undefined) return []
    const belief = beliefOf(answer.confidence, shown.size)
    const staked = belief > price
    return [
      {
        seat,
        option: answer.choice,
        price,
        stake: staked ? rounded((belief - price) / (1 - price)) : 0,
        ifRight: staked ? rounded(Math.log(belief / price)) : 0,
        ifWrong: staked ? rounded(Math.log((1 - belief) / (1 - price))) : 0,
      },
    ]
  })
}

export const marketOf = (session: Session, round: Round): Figures => ({
  kind: 'prices',
  prices: pricesIn(session, round),
  stakes: stakesIn(session, round),
})

/** The option with the highest price in the latest round that has prices. Null if two share it. */
export const favouriteOf = (session: Session): string | null => {
  const figures = session.roundsSoFar.findLast(round => round.digest?.figures)?.digest?.figures
  if (figures?.kind !== 'prices') return null
  const [first, second] = [...figures.prices].sort((one, other) => other.price - one.price)
  return first && first.price !== second?.price ? first.option : null
}

/** The largest change of any price since the round before. */
export const priceShift = (session: Session, round: Round): number => {
  const before = new Map(shownIn(session, round).map(({ option, price }) => [option, price]))
  return Math.max(
    0,
    ...pricesIn(session, round).map(({ option, price }) => Math.abs(price - (before.get(option) ?? 0))),
  )
}
