/** The rule that decides who is asked what next: a pure function from state to commands. */
import type { Command } from '../core/log/command.ts'
import type { Digest } from '../core/log/event.ts'
import type { Round, Session } from '../core/log/state.ts'
import type { Format } from '../core/question/question.ts'
import type { Shape } from '../core/question/reply.ts'

export interface Prompt {
  readonly system: string
  /** Parts of one message, the most shared first, so that providers' caches hit. */
  readonly user: readonly string[]
  readonly shape: Shape
  /** Where it is fewer than usual. */
  readonly maxOutputTokens?: number
}

/** What a session is expected to take, before it runs. */
export interface Load {
  readonly seats: number
  readonly rounds: number
  /** Tokens of the question with its attachments, and of one answer. */
  readonly question: number
  readonly answer: number
  readonly open: boolean
}

export interface Amount {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Expectation extends Amount {
  /** The moderator's part of it. */
  readonly moderator: Amount
}

export interface Protocol {
  readonly id: string
  readonly label: string
  /** One line for pickers and help. */
  readonly summary: string
  /** Open rounds: how many unless told, and how many at most. */
  readonly rounds: { readonly usual: number; readonly most: number }
  /** It may end before all of its rounds were held. */
  readonly stopsEarly?: boolean
  /** The formats that it can be asked in; absent: all. */
  readonly formats?: readonly Format[]
  /** Seats are told figures of the group; in all other protocols no seat is told a count. */
  readonly tellsFigures?: boolean
  /**
   * Everything that should be under way now. The runtime starts what it has not started yet, so
   * the same state must give the same commands. Empty means: wait for what is under way.
   */
  next(session: Session): readonly Command[]
  /** What a seat is asked in a round. */
  prompt(session: Session, seat: string, round: number): Prompt
  /** What `write-digest` stands for where code writes it and no moderator is asked. */
  digest?(session: Session, round: Round): Digest
  expect(load: Load): Expectation
}
