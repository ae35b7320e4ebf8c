/** What a camp is, and which answers it is made of. */

import { answerIn, type Round, roundAt, type Session } from '../log/state.ts'
import type { Answer } from '../question/answer.ts'

export interface Camp {
  readonly id: string
  readonly label: string
  /** The answer that represents the camp, as `seat@round`, and its headline. */
  readonly exemplar: string
  readonly headline: string
  readonly seats: readonly string[]
  /** Members that agree with a caveat. */
  readonly qualified: readonly string[]
}

export type CampPair = readonly [string, string]

export interface PendingCheck {
  readonly seat: string
  readonly exemplar: string
}

export interface Grouping {
  readonly camps: readonly Camp[]
  readonly by: 'value' | 'moderator' | 'headline'
  /** The two passes differ, a membership couldn't be checked, or two camps were found to say the same. */
  readonly contested: boolean
  /** The moderator that decided who agrees is too small to be relied on. */
  readonly weak?: boolean
  /** Seats that the moderator must still label. */
  readonly unplaced: readonly string[]
  /** Memberships that must still be checked. */
  readonly pending: readonly PendingCheck[]
  /** Pairs of camps, by id, of which neither denies the other. */
  readonly compatible: readonly CampPair[]
  /** Other pairs that are worth asking about: exemplars of two camps, a seat's own headlines if its camp changed. */
  readonly unrelated: readonly PendingCheck[]
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

/** The answer that a camp's `exemplar` refers to. */
export const answerAt = (session: Session, exemplar: string): Answer | undefined => {
  const split = exemplar.lastIndexOf('@')
  return answerIn(roundAt(session, Number(exemplar.slice(split + 1))), exemplar.slice(0, split))
}

/** An earlier round with its camps. */
export interface Grouped {
  readonly round: Round
  readonly camps: readonly Camp[]
}

/** A camp while it is being filled. */
export interface CampDraft extends Camp {
  label: string
  exemplar: string
  headline: string
  readonly seats: string[]
  readonly qualified: string[]
}

/** A camp that an answer founds. */
export const foundedBy = ({ seat, answer }: Given, round: Round, id: string): CampDraft => ({
  id,
  label: id,
  exemplar: `${seat}@${round.index}`,
  headline: answer.headline,
  seats: [seat],
  qualified: [],
})

/** The camps of earlier rounds, emptied, as of the last round that has them. A camp keeps its id for the whole session. */
export const emptied = (earlier: readonly Grouped[]): CampDraft[] => {
  const known = new Map(earlier.flatMap(({ camps }) => camps).map(camp => [camp.id, camp]))
  return [...known.values()].map(camp => ({ ...camp, seats: [], qualified: [] }))
}

/** The camps that have members, with their members in the order of the table. */
export const filled = (session: Session, camps: readonly Camp[]): Camp[] => {
  const inOrder = (seats: readonly string[]): string[] =>
    session.seats.map(seat => seat.id).filter(id => seats.includes(id))
  return camps
    .filter(camp => camp.seats.length > 0)
    .map(camp => ({ ...camp, seats: inOrder(camp.seats), qualified: inOrder(camp.qualified) }))
}
