/** How seats read an ambiguous question. A split may be about words and not about the matter. */
import { isFailure, type Reading, type Round, type Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import { givenIn } from './camp.ts'

/** The readings as seats gave them; equal words are one. */
export const statedReadings = (session: Session, round: Round): Reading[] => {
  const stated = givenIn(session, round).flatMap(({ seat, answer }) =>
    answer.reading === undefined ? [] : [{ seat, reading: answer.reading }],
  )
  return [...Map.groupBy(stated, ({ reading }) => normalised(reading)).values()].map(same => ({
    reading: same[0]!.reading,
    seats: same.map(({ seat }) => seat),
  }))
}

/** The ways in which the table reads the question. Fewer than two: it doesn't matter how it is read. */
export const readingsOf = (session: Session): readonly Reading[] => {
  const sealed = session.roundsSoFar.find(round => round.sealed)
  if (!sealed) return []
  const { readings } = sealed
  return readings !== undefined && !isFailure(readings) ? readings : statedReadings(session, sealed)
}
