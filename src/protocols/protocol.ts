/** The rule that decides who is asked what next: a pure function from state to commands. */
import type { Command, Digest, Happening } from '../core/event.ts'
import type { Shape } from '../core/form.ts'
import type { SessionOpened } from '../core/opening.ts'
import type { Format } from '../core/question.ts'
import type { Round, Session } from '../core/session.ts'

export interface Prompt {
  readonly system: string
  /** The parts of one message. Those that most calls share come first, so that providers' caches hit. */
  readonly user: readonly string[]
  /** How many of them, from the first on, other calls of this model repeat with the same form. Absent: none. */
  readonly shared?: number
  readonly shape: Shape
  /** The model is to search the web with its maker's tool. */
  readonly search?: boolean
  /** If the reply may have fewer tokens than usual. */
  readonly maxOutputTokens?: number
  /** How many tokens more than usual a long text may need. */
  readonly longerBy?: number
}

/** How large a session is going to be. */
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
  /** Web searches. Absent: none. */
  readonly searches?: number
}

export interface Expectation extends Amount {
  /** The moderator's share of it. */
  readonly moderator: Amount
}

/** A session that isn't open yet. */
export type OpeningFacts = Omit<SessionOpened, 'language'>

export interface Protocol {
  readonly id: string
  readonly label: string
  /** One line for pickers and help. */
  readonly summary: string
  /** Open rounds: the usual number, and the most. */
  readonly rounds: { readonly usual: number; readonly most: number }
  /** It may end before it has held all of its rounds. */
  readonly stopsEarly?: boolean
  /** The question formats it supports. Absent: all. */
  readonly formats?: readonly Format[]
  /** Seats are told figures of the group. In all other protocols no seat is told a count. */
  readonly tellsFigures?: boolean
  /**
   * Everything that should be running now. The runtime starts what it hasn't started yet, so the same state must give
   * the same commands. Empty means: wait for what is running.
   */
  next(session: Session): readonly Command[]
  /** What a seat is asked in a round. */
  prompt(session: Session, seat: string, round: number): Prompt
  /** The digest for `write-digest`, if code writes it instead of the moderator. */
  digest?(session: Session, round: Round): Digest
  expect(load: Load): Expectation
  /** One sentence for the estimate, if open rounds depend on the sealed vote. */
  whenItTalks?(opened: OpeningFacts): string | undefined
}

// modelStep: One thing that a model is asked besides a seat's answer: its prompt, and the event that its reply becomes.

export interface ModelStep<Command> {
  prompt(session: Session, command: Command): Prompt
  /** The event that the reply becomes, or what is wrong with the reply. */
  read(raw: unknown, session: Session, command: Command): Happening | { readonly problem: string }
  /** What can be used of a reply that was still wrong when the model was asked once more. */
  salvage?(raw: unknown, session: Session, command: Command): Happening | undefined
}
