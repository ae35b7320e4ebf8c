/** What a camp is, and the answers that camps are made of. */

import { answerIn, type Round, roundAt, type Session } from '../log/state.ts'
import type { Answer } from '../question/answer.ts'

export interface Camp {
  readonly id: string
  readonly label: string
  /** `seat@round` of the answer that stands for the camp, and its headline. */
  readonly exemplar: string
  readonly headline: string
  readonly seats: readonly string[]
  /** Members that assert the same with a caveat. */
  readonly qualified: readonly string[]
}

export interface PendingCheck {
  readonly seat: string
  readonly exemplar: string
}

export interface Grouping {
  readonly camps: readonly Camp[]
  readonly by: 'value' | 'moderator' | 'headline'
  /** The two passes differ, or a membership could not be checked. */
  readonly contested: boolean
  /** A moderator that is hardly fit for it said who agrees. */
  readonly weak?: boolean
  /** Seats that the moderator must still label; empty once it has. */
  readonly unplaced: readonly string[]
  /** Memberships that must still be checked. */
  readonly pending: readonly PendingCheck[]
}

/** An answer with the seat that gave it. */
export interface Given {
  readonly seat: string
  readonly answer: Answer
}

export const givenIn = (session: Session, round: Round): Given[] =>
  session.seats.flatMap(seat => {
    const answer = answerIn(round, seat.id)
    return answer ? [{ seat: seat.id, answer }] : []
  })

/** The answer that a camp's `exemplar` names. */
export const answerAt = (session: Session, exemplar: string): Answer | undefined => {
  const place = exemplar.lastIndexOf('@')
  return answerIn(roundAt(session, Number(exemplar.slice(place + 1))), exemplar.slice(0, place))
}

/** An earlier round with its camps. */
export interface Grouped {
  readonly round: Round
  readonly camps: readonly Camp[]
}

/** A camp that is being filled. */
export interface CampDraft extends Camp {
  readonly seats: string[]
  readonly qualified: string[]
}

/** The camps of earlier rounds, empty again: a camp keeps its id, label and exemplar for the whole session. */
export const emptied = (earlier: readonly Grouped[]): CampDraft[] => {
  const known = new Map(earlier.flatMap(({ camps }) => camps).map(camp => [camp.id, camp]))
  return [...known.values()].map(camp => ({ ...camp, seats: [], qualified: [] }))
}

/** The camps that have members, with those in the order of the table. */
export const filled = (session: Session, camps: readonly Camp[]): Camp[] => {
  const inOrder = (seats: readonly string[]): string[] =>
    session.seats.map(seat => seat.id).filter(id => seats.includes(id))
  return camps
    .filter(camp => camp.seats.length > 0)
    .map(camp => ({ ...camp, seats: inOrder(camp.seats), qualified: inOrder(camp.qualified) }))
}
