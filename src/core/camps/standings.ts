/** Which camp has which number, colour and pattern, and where every seat stands. */

import type { Seat } from '../log/event.ts'
import { type HandedIn, type Round, roundBefore, type Session } from '../log/state.ts'
import { tallyOf } from '../verdict/tally.ts'
import type { Camp } from './camp.ts'
import { campOfSeat, groupingOf } from './camps.ts'
import { type Move, moveOf } from './moves.ts'

/** Camp ids with their numbers from 0: the same in every round, and at every moment of a replay. */
export type CampNumbers = ReadonlyMap<string, number>

/** The options of a choice keep their order; other camps are numbered as they appear, the largest first. */
export const campNumbers = (session: Session): CampNumbers => {
  const ids =
    session.question.format === 'choice'
      ? session.question.options
      : session.roundsSoFar.flatMap(round => tallyOf(session, round).camps.map(camp => camp.id))
  return new Map([...new Set(ids)].map((id, index) => [id, index]))
}

/** Every camp of the session as it was last seen. */
export const campsById = (session: Session): ReadonlyMap<string, Camp> =>
  new Map(session.roundsSoFar.flatMap(round => groupingOf(session, round).camps).map(camp => [camp.id, camp]))

/** A seat in a round. */
export interface Standing {
  readonly seat: Seat
  /** Absent: the seat is still being asked, or its turn has not come. */
  readonly handedIn?: HandedIn
  readonly camp?: Camp
  /** The camp's number. */
  readonly number?: number
  /** The number of the camp that it stood in before, for as long as it stands in none. */
  readonly before?: number
  readonly move: Move | null
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

export const standingsIn = (session: Session, round: Round | undefined, numbers: CampNumbers): Standing[] =>
  session.seats.map(seat => {
    const handedIn = round?.handedIn[seat.id]
    const before = round && numberBefore(session, round, seat.id, numbers)
    if (!round || !handedIn) return { seat, before, move: null, qualified: false }
    const camp = campOfSeat(groupingOf(session, round), seat.id)
    return {
      seat,
      handedIn,
      before,
      move: moveOf(session, round, seat.id),
      qualified: camp?.qualified.includes(seat.id) ?? false,
      ...(camp && { camp, number: numbers.get(camp.id) }),
    }
  })

/** At a large table a camp sits together, or its colours would be confetti. */
export const byCamp = (places: readonly Standing[]): Standing[] => {
  const rank = ({ number, handedIn }: Standing): number => number ?? (handedIn ? 1_000 : 2_000)
  return places.toSorted((one, other) => rank(one) - rank(other))
}

/** What stands where no camp does. */
export const absenceOf = (place: Standing): 'silent' | 'abstained' | 'asked' | 'ungrouped' | undefined => {
  if (place.camp) return undefined
  if (!place.handedIn) return 'asked'
  return place.handedIn.status === 'given' ? 'ungrouped' : place.handedIn.status
}
