/**
 * A market of seats that each maximise the logarithm of their purse. Such a seat stakes (c − p) / (1 − p) of it
 * on an option that it believes in with c and that costs p; its purse then grows by c / p if it is right and
 * shrinks to (1 − c) / (1 − p) if not, which is the log score against the price, so that saying what one
 * believes is the best there is. The price at which such stakes clear is the mean belief by purses.
 */
import { type Score, shrunkAccuracy } from '../aggregation/log-odds.ts'
import { givenIn } from '../camps/camp.ts'
import { type Round, roundAt, type Session, seatOf } from '../log/state.ts'
import type { Figures, Stake } from './figures.ts'

/** Nobody is so sure that it may lose all. */
const surest = 0.99

type Price = { readonly option: string; readonly price: number }

/** Who chooses an option holds it at least as likely as any other. */
const beliefOf = (confidence: number, options: number): number =>
  Math.min(surest, Math.max(1 / options, confidence))

/** Nobody's record is long enough to rule the market, or to be worth nothing in it. */
const richest = 4

const oddsOf = (score: Score): number => shrunkAccuracy(score) / (1 - shrunkAccuracy(score))

/** A model that was right as often as one without a record is thought to be has a purse of 1. */
const earned = (score: Score): number => {
  const purse = oddsOf(score) / oddsOf({ right: 0, of: 0 })
  return Math.min(richest, Math.max(1 / richest, purse))
}

/** What a seat may stake: what it was given, else what its track record earned it, else as much as anybody. */
const purseOf = (session: Session, seat: string): number => {
  const score = session.record?.[seatOf(session, seat).model]
  return session.purses?.[seat] ?? (score ? earned(score) : 1)
}

const rounded = (value: number): number => Number(value.toFixed(6))

/** Belief for the chosen option; the rest is spread evenly over the others. */
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

/** The prices that the seats of a round were shown: those of the round before, or equal ones. */
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

/** The option with the highest price of the latest round that has prices; null where two share it. */
export const favouriteOf = (session: Session): string | null => {
  const figures = session.roundsSoFar.findLast(round => round.digest?.figures)?.digest?.figures
  if (figures?.kind !== 'prices') return null
  const [first, second] = [...figures.prices].sort((one, other) => other.price - one.price)
  return first && first.price !== second?.price ? first.option : null
}

/** The widest change of any price from the round before. */
export const priceShift = (session: Session, round: Round): number => {
  const before = new Map(shownIn(session, round).map(({ option, price }) => [option, price]))
  return Math.max(
    0,
    ...pricesIn(session, round).map(({ option, price }) => Math.abs(price - (before.get(option) ?? 0))),
  )
}
