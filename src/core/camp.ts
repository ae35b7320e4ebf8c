/** What a camp is, and the answers that camps are made of. */
import type { Answer } from './answer.ts'
import { answerIn, type Round, type Session } from './state.ts'

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
