/** Cross-examination: who speaks for which camp, what they said, and how a judge without a seat ruled. */
import { hash, wordingOf } from '../core/basics.ts'
import type { Figures, Stake } from '../core/opening.ts'
import { median, quartilesOf, type Score, shrunkAccuracy } from '../core/rules.ts'
import { answerIn, type Round, roundAt, type Session, type Statement, seatOf } from '../core/session.ts'
import { type Camp, givenIn, newestIn } from './camps.ts'
import { tallyOf } from './tally.ts'

export interface Side {
  readonly camp: Camp
  readonly advocate: string | null
}

/** The members in the order in which they would speak: the one that was surest first, equals by the seed. */
const speakersOf = (session: Session, round: Round, { seats }: Camp): string[] => {
  const sureness = (seat: string): number => answerIn(round, seat)?.confidence ?? -1
  const order = (seat: string): number => hash(`${session.seed} advocate ${seat}`)
  return [...seats].sort((one, other) => sureness(other) - sureness(one) || order(one) - order(other))
}

/** The first member that hasn't failed in an earlier turn. Null: nobody is left. */
const advocateOf = (session: Session, round: Round, camp: Camp): string | null => {
  const failed = new Set((round.statements ?? []).flatMap(({ error, seat }) => (error ? [seat] : [])))
  return speakersOf(session, round, camp).find(seat => !failed.has(seat)) ?? null
}

/** The two largest camps with their advocates. Undefined if there aren't two. The seed decides who begins. */
export const sidesOf = (session: Session, round: Round): readonly [Side, Side] | undefined => {
  const [first, second] = tallyOf(session, round)
    .camps.slice(0, 2)
    .map((camp): Side => ({ camp, advocate: advocateOf(session, round, camp) }))
  if (!first || !second) return undefined
  return hash(`${session.seed} who begins`) % 2 === 0 ? [first, second] : [second, first]
}

/** Each side speaks once for every open round that is allowed. */
export const turnsIn = ({ rounds }: Pick<Session, 'rounds'>): number => 2 * rounds

/** An advocate was convinced, so there is nothing left to argue. */
export const isConceded = ({ statements = [] }: Pick<Round, 'statements'>): boolean =>
  statements.some(({ concedes }) => concedes)

/** Who speaks next after a round. Undefined if nobody does. */
export const nextTurn = (
  session: Session,
  round: Round,
): { readonly turn: number; readonly seat: string } | undefined => {
  if (isConceded(round)) return undefined
  const turn = round.statements?.length ?? 0
  const seat = sidesOf(session, round)?.[turn % 2]?.advocate
  return turn < turnsIn(session) && seat ? { turn, seat } : undefined
}

/** A ruling counts only if it is the same in both orders. Undefined: nobody judged, or a judge failed. */
export const rulingOf = (
  round: Pick<Round, 'rulings'>,
): { readonly camp: string | null; readonly consistent: boolean } | undefined => {
  const [one, other] = round.rulings ?? []
  if (!one || !other || !('words' in one) || !('words' in other)) return undefined
  return { camp: one.camp === other.camp ? one.camp : null, consistent: one.camp === other.camp }
}

/** "The judge ruled for “Rail” in both orders." */
export const rulingText = (
  round: Pick<Round, 'rulings'>,
  labelOf: (camp: string) => string,
): string | undefined => {
  const ruling = rulingOf(round)
  if (!ruling) return undefined
  if (!ruling.consistent)
    return 'The judge ruled differently when it read the two sides in the other order, so its ruling does not count.'
  return ruling.camp === null
    ? 'The judge found in both orders that neither case holds better.'
    : `The judge ruled for “${labelOf(ruling.camp)}” in both orders.`
}

/** What an advocate said, or why it said nothing. */
export const statementText = (statement: Statement): string => {
  if (statement.error)
    return `said nothing (${wordingOf(statement.error.kind).short}): ${statement.error.message}`
  const { argument, question, concedes } = statement
  return [argument, ...(question ? [`Asks: ${question}`] : []), ...(concedes ? [concession] : [])].join(
    '\n\n',
  )
}

/** What every face says of an advocate that was convinced. */
export const concession = 'Concedes: the other side is right.'

// market: A market in which every seat maximises the logarithm of its purse. A seat with confidence c in an option that costs p
// stakes (c − p) / (1 − p) of its purse. The purse then grows by c / p if the seat is right, and shrinks to
// (1 − c) / (1 − p) if it is wrong. That is the log score against the price, so the best strategy is to say what one
// believes. The price at which such stakes clear is the mean belief, weighted by purses.

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

/** What a seat may stake: what its track record earned, or else 1. */
const purseOf = (session: Session, seat: string): number => {
  const score = session.record?.[seatOf(session, seat).model]
  return score ? earned(score) : 1
}

const rounded = (value: number): number => Number(value.toFixed(6))

/** Each seat believes in its option; the rest of its belief is spread evenly over the others. */
const pricesIn = (session: Session, round: Round): Price[] => {
  const { options } = session.question
  const beliefs = newestIn(session, round).flatMap(({ seat, answer }) =>
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

// statistics: What the group says as a whole: quartiles, shares, median ranks, and how far it moved between two rounds.

const numbersIn = (session: Session, round: Round): number[] =>
  newestIn(session, round).flatMap(({ answer }) => answer.number ?? [])

/** The median rank of each option, the best first. */
const ranksIn = (session: Session, round: Round): { option: string; median: number }[] => {
  const rankings = newestIn(session, round).map(({ answer }) => answer.ranking ?? [])
  const ranks = session.question.options.map(option => ({
    option,
    median: median(rankings.map(ranking => ranking.indexOf(option) + 1)) ?? 0,
  }))
  return ranks.sort((one, other) => one.median - other.median)
}

/** The share of each camp among those who answered, the largest first. */
const sharesIn = (session: Session, round: Round): { position: string; share: number }[] => {
  const { camps } = tallyOf(session, round)
  const answered = newestIn(session, round).length
  return camps
    .map(({ label, seats }) => ({ position: label, share: seats.length / answered }))
    .sort((one, other) => other.share - one.share)
}

/** Undefined if nobody answered. */
export const statisticsOf = (session: Session, round: Round): Figures | undefined => {
  const { format, scale } = session.question
  if (givenIn(session, round).length === 0) return undefined
  switch (format) {
    case 'number': {
      const quartiles = quartilesOf(numbersIn(session, round), scale)
      return quartiles && { kind: 'quartiles', ...quartiles }
    }
    case 'ranking':
      return { kind: 'places', places: ranksIn(session, round) }
    case 'choice':
    case 'open':
    case 'text':
      return { kind: 'shares', shares: sharesIn(session, round) }
    default:
      return format satisfies never
  }
}

/** The Kolmogorov–Smirnov distance: the widest gap between two cumulative distributions. */
export const distanceBetween = (one: readonly number[], other: readonly number[]): number => {
  const upTo = (values: readonly number[], limit: number): number =>
    values.filter(value => value <= limit).length / Math.max(1, values.length)
  return Math.max(0, ...[...one, ...other].map(limit => Math.abs(upTo(one, limit) - upTo(other, limit))))
}

/** The part of the table, 0 to 1, that would have to move to turn one round into the other. */
export const shiftBetween = (session: Session, before: Round, after: Round): number => {
  if (session.question.format === 'number')
    return distanceBetween(numbersIn(session, before), numbersIn(session, after))
  const shares = [before, after].map(round => {
    const { camps } = tallyOf(session, round)
    return new Map(camps.map(({ id, seats }) => [id, seats.length / session.seats.length]))
  })
  const ids = new Set(shares.flatMap(share => [...share.keys()]))
  const gaps = [...ids].map(id => Math.abs((shares[0]?.get(id) ?? 0) - (shares[1]?.get(id) ?? 0)))
  return gaps.reduce((sum, gap) => sum + gap, 0) / 2
}

/** A middle half of fewer answers is hardly one: nobody is far from it, and seats read the numbers themselves. */
export const fewestForQuartiles = 5

/** Seats far from the group: they may know something that the others don't, or be wrong. */
export const outliersIn = (session: Session, round: Round): string[] => {
  const figures = statisticsOf(session, round)
  const given = newestIn(session, round)
  switch (figures?.kind) {
    case 'quartiles':
      if (given.length < fewestForQuartiles) return []
      return given
        .filter(({ answer }) => (answer.number ?? 0) < figures.low || (answer.number ?? 0) > figures.high)
        .map(({ seat }) => seat)
    case 'places': {
      const firsts = figures.places.filter(({ median }) => median === figures.places[0]?.median)
      const last = session.question.options.length / 2
      return given
        .filter(({ answer: { ranking = [] } }) =>
          firsts.every(({ option }) => ranking.indexOf(option) >= last),
        )
        .map(({ seat }) => seat)
    }
    case 'shares':
      return tallyOf(session, round)
        .camps.filter(camp => camp.seats.length * 4 < given.length)
        .flatMap(camp => camp.seats)
    default:
      return []
  }
}
