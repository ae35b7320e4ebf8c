/** The way of a seat from the sealed round on: every camp that it stood in, in order. */
import { type Round, type Session, seatOf } from '../log/state.ts'
import type { Camp } from './camp.ts'
import { campOfSeat, groupingOf } from './camps.ts'

export interface Stop {
  readonly round: Round
  readonly camp: Camp
}

/** Up to a round; rounds in which it stayed where it was are left out. A transcript lacks its earlier rounds. */
export const wayOf = (session: Session, last: Round, seat: string): Stop[] => {
  const { id } = seatOf(session, seat)
  if (session.imported) return []
  return session.roundsSoFar
    .filter(round => round.index <= last.index)
    .flatMap((round): Stop[] => {
      const camp = campOfSeat(groupingOf(session, round), id)
      return camp ? [{ round, camp }] : []
    })
    .filter((stop, index, all) => stop.camp.id !== all[index - 1]?.camp.id)
}
