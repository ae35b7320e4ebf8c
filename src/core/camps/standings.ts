/** The number of each camp, which decides its colour and pattern, and where every seat stands. */

import type { Seat } from '../log/event.ts'
import { type HandedIn, isClosed, type Round, roundBefore, type Session } from '../log/state.ts'
import { tallyOf } from '../verdict/tally.ts'
import type { Camp } from './camp.ts'
import { campOfSeat, groupingOf, isGrouped } from './camps.ts'
import { changedIn, type Move, moveOf } from './moves.ts'

/** Camp ids with their numbers from 0. They are the same in every round and throughout a replay. */
export type CampNumbers = ReadonlyMap<string, number>

/** Until a round is closed and its answers are compared, its camps come and go: seats would change their colours. */
export const isSettled = (session: Session, round: Round): boolean =>
  session.outcome !== undefined ||
  session.stopped !== undefined ||
  (isClosed(session, round) && isGrouped(groupingOf(session, round)))

/** The options of a choice keep their order. Other camps are numbered as they appear, the largest first. */
export const campNumbers = (session: Session): CampNumbers => {
  const ids =
    session.question.format === 'choice'
      ? session.question.options
      : session.roundsSoFar
          .filter(round => isSettled(session, round))
          .flatMap(round => tallyOf(session, round).camps.map(camp => camp.id))
  return new Map([...new Set(ids)].map((id, index) => [id, index]))
}

/** Texts have camps only if the asker wanted them grouped. */
export const hasCamps = ({ question }: Session): boolean =>
  question.format !== 'text' || question.camps !== undefined

/** Every camp of the session, as of the last round that has it. */
export const campsById = (session: Session): ReadonlyMap<string, Camp> =>
  new Map(session.roundsSoFar.flatMap(round => groupingOf(session, round).camps).map(camp => [camp.id, camp]))

/** Where a seat stands in a round. */
export interface Standing {
  readonly seat: Seat
  /** Absent: the seat is still being asked, or will be. */
  readonly handedIn?: HandedIn
  readonly camp?: Camp
  /** The camp's number. */
  readonly number?: number
  /** The number of its camp in an earlier round, for as long as it has none in this one. */
  readonly before?: number
  readonly move: Move | null
  /** The rounds so far in which it changed its mind. */
  readonly changedIn: readonly number[]
  /** It agrees with its camp with a caveat. */
  readonly qualified: boolean
}

const numberBefore = (
  session: Session,
  round: Round,
  seat: string,
  numbers: CampNumbers,
): number | undefined => {
  const last = roundBefore(session, round.index, seat)
  const camp = last && campOfSeat(groupingOf(session, last), seat)
  return camp && numbers.get(camp.id)
}

/** An option is a camp at once. Other answers have none until all are compared: a seat would show a camp, and lose it again. */
const campSoFar = (session: Session, round: Round, seat: string): Camp | undefined =>
  session.question.format === 'choice' || isSettled(session, round)
    ? campOfSeat(groupingOf(session, round), seat)
    : undefined

export const standingsIn = (session: Session, round: Round | undefined, numbers: CampNumbers): Standing[] =>
  session.seats.map(seat => {
    const handedIn = round?.handedIn[seat.id]
    const before = round && numberBefore(session, round, seat.id, numbers)
    if (!round || !handedIn) return { seat, before, move: null, changedIn: [], qualified: false }
    const camp = campSoFar(session, round, seat.id)
    return {
      seat,
      handedIn,
      before,
      move: moveOf(session, round, seat.id),
      changedIn: changedIn(session, round, seat.id),
      qualified: camp?.qualified.includes(seat.id) ?? false,
      ...(camp && { camp, number: numbers.get(camp.id) }),
    }
  })

/** At a large table the seats of a camp stand side by side, so that its colour can be seen. */
export const byCamp = (standings: readonly Standing[]): Standing[] => {
  const rank = ({ number, handedIn }: Standing): number => number ?? (handedIn ? 1_000 : 2_000)
  return standings.toSorted((one, other) => rank(one) - rank(other))
}

/** Why a seat has no camp. */
export const absenceOf = (standing: Standing): 'silent' | 'abstained' | 'asked' | 'ungrouped' | undefined => {
  if (standing.camp) return undefined
  if (!standing.handedIn) return 'asked'
  return standing.handedIn.status === 'given' ? 'ungrouped' : standing.handedIn.status
}
