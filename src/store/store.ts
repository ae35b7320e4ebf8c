/** Where the logs of sessions are kept. An append is durable once its promise is fulfilled. */
import type { Outcome, SessionEvent } from '../core/log/event.ts'
import type { Level } from '../core/verdict/tally.ts'

/** A session in a list. */
export interface Listed {
  readonly id: string
  readonly question: string
  readonly openedAt: string
  /** Null while the session is under way, or was left there by a crash. */
  readonly outcome: Outcome | null
  readonly level: Level | null
  readonly line: string | null
}

export interface Store {
  /**
   * Appends all events or none of them. Fails with `PositionTaken` unless the log ends exactly before
   * the first one: of two runners of one session, one stops instead of paying twice.
   */
  append(id: string, events: readonly SessionEvent[]): Promise<void>
  /** The events after a position, or all; none for a session that is not here. */
  read(id: string, after?: number): Promise<SessionEvent[]>
  /** Newest first. A log that cannot be read is left out. */
  list(): Promise<Listed[]>
  /** Removing what is not here is no error. */
  remove(id: string): Promise<void>
}

/** The same symbol in every copy of this package: `instanceof` fails if a program has loaded two of them. */
const marker = Symbol.for('roundtable.error.position-taken')

/** Somebody else has written at this position. Whoever gets this must stop running the session. */
export class PositionTaken extends Error {
  override readonly name = 'PositionTaken'
  readonly session: string
  readonly position: number
  readonly [marker] = true

  constructor(session: string, position: number) {
    super(`The log of session ${session} is not at position ${position}.`)
    this.session = session
    this.position = position
  }

  static isInstance(this: void, error: unknown): error is PositionTaken {
    return typeof error === 'object' && error !== null && marker in error
  }
}
