/** The count of one round: its camps, its level, and who is missing. */
import { type Figure, figureOf } from '../aggregation/figure.ts'
import { median } from '../aggregation/number.ts'
import { combinedRanking } from '../aggregation/schulze.ts'
import { type Camp, type CampPair, givenIn } from '../camps/camp.ts'
import { groupingOf } from '../camps/camps.ts'
import { type Tolerance, toleranceIn } from '../camps/tolerance.ts'
import { wordingOf } from '../errors.ts'
import { isOverdue, type Round, roundAt, type Session, seatsIn } from '../log/state.ts'

export const levels = [
  'unanimous',
  'unanimous-with-caveats',
  'supermajority',
  'majority',
  'plurality',
  'tie',
  'split',
  'no-quorum',
] as const
export type Level = (typeof levels)[number]

export interface Tally {
  readonly round: number
  /** Null for texts: they aren't a vote, so nobody agrees or dissents. */
  readonly level: Level | null
  /** Seats in the largest camp. Zero for texts. */
  readonly agree: number
  /** Seats at the table, silent ones included. */
  readonly of: number
  readonly answered: number
  /** Id of the leading camp. Null in a tie and without a quorum. */
  readonly leading: string | null
  readonly camps: readonly Camp[]
  /** Pairs of camps, by id, of which neither denies the other. Absent: none are known. */
  readonly compatible?: readonly CampPair[]
  readonly silent: readonly string[]
  readonly abstained: readonly string[]
  /** The combined order, for rankings. */
  readonly ranking?: readonly string[]
  /** For numbers. */
  readonly median?: number
  /** The median as it is shown, and what counts as the same number. Absent in rounds of older prompts. */
  readonly figure?: Figure
  readonly tolerance?: Tolerance
}

const statusOf = (session: Session, round: Round, status: string): string[] =>
  session.seats.filter(seat => round.handedIn[seat.id]?.status === status).map(seat => seat.id)

/** A verdict needs answers from more than half of the table. */
export const hasQuorum = (answered: number, of: number): boolean => answered * 2 > of

const levelOf = (camps: readonly Camp[], of: number, answered: number): Level => {
  const [first = 0, second = 0] = camps.map(camp => camp.seats.length).sort((one, other) => other - one)
  if (!hasQuorum(answered, of)) return 'no-quorum'
  if (first === second) return first === 1 && camps.length > 2 ? 'split' : 'tie'
  if (first === of)
    return camps.some(camp => camp.qualified.length > 0) ? 'unanimous-with-caveats' : 'unanimous'
  if (first * 3 >= of * 2) return 'supermajority'
  return first * 2 > of ? 'majority' : 'plurality'
}

/** Largest first. Equal camps follow the order of the options, not the order of the seats. */
const bySize = (camps: readonly Camp[], options: readonly string[]): Camp[] =>
  [...camps].sort(
    (one, other) =>
      other.seats.length - one.seats.length || options.indexOf(one.id) - options.indexOf(other.id),
  )

const numberPart = (session: Session, round: Round): Pick<Tally, 'median' | 'figure' | 'tolerance'> => {
  const { scale } = session.question
  const values = givenIn(session, round).flatMap(({ answer }) => answer.number ?? [])
  const tolerance = toleranceIn(session, round)
  const figure = tolerance && figureOf(values, scale)
  return { median: median(values, scale), ...(figure && { figure }), ...(tolerance && { tolerance }) }
}

export const tallyOf = (session: Session, round: Round): Tally => {
  const { question } = session
  const { compatible, ...grouping } = groupingOf(session, round)
  const camps = bySize(grouping.camps, question.options)
  const answers = givenIn(session, round).map(({ answer }) => answer)
  const of = seatsIn(session, round.index).length
  const isVote = question.format !== 'text'
  const level = isVote || !hasQuorum(answers.length, of) ? levelOf(camps, of, answers.length) : null
  const [first, second] = isVote ? camps : []
  const tied = first?.seats.length === second?.seats.length
  return {
    round: round.index,
    level,
    agree: first?.seats.length ?? 0,
    of,
    answered: answers.length,
    leading: first && !tied && level !== 'no-quorum' ? first.id : null,
    camps,
    ...(compatible.length > 0 && { compatible }),
    silent: statusOf(session, round, 'silent'),
    abstained: statusOf(session, round, 'abstained'),
    ...(question.format === 'ranking' && {
      ranking: combinedRanking(
        question.options,
        answers.map(answer => answer.ranking ?? []),
      ),
    }),
    ...(question.format === 'number' && numberPart(session, round)),
  }
}

/** The camps that a camp is compatible with. */
export const compatibleWith = ({ camps, compatible = [] }: Tally, id: string): Camp[] =>
  camps.filter(camp =>
    compatible.some(([one, other]) => (one === id && other === camp.id) || (other === id && one === camp.id)),
  )

/** "timed out", "abstained": why a seat is missing from a tally, in a few words. */
export const absenceOf = (session: Session, round: number, seat: string): string => {
  const at = roundAt(session, round)
  const handedIn = at?.handedIn[seat]
  if (at && isOverdue(at, seat)) return 'no answer yet'
  if (handedIn?.status === 'silent') return wordingOf(handedIn.error.kind).short
  return handedIn?.status === 'abstained' ? 'abstained' : 'not asked'
}
