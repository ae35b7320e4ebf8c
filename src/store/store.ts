/** A store keeps the logs of sessions. An append is durable once its promise is fulfilled. */
import type { Outcome, SessionEvent } from '../core/log/event.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import type { Level } from '../core/verdict/tally.ts'

/** A session in a list. */
export interface Listed {
  readonly id: string
  readonly question: string
  readonly openedAt: string
  /** Null while the session runs, and after a crash cut it off. */
  readonly outcome: Outcome | null
  readonly level: Level | null
  readonly line: string | null
}

export interface Store {
  /**
   * Appends all events or none of them. Fails with `PositionTaken` unless the log ends exactly before the first one, so
   * that if two processes run one session, one of them stops instead of paying twice.
   */
  append(id: string, events: readonly SessionEvent[]): Promise<void>
  /** The events after a position, or all. Empty if there is no such session. */
  read(id: string, after?: number): Promise<SessionEvent[]>
  /** Newest first. A log that can't be read is left out. */
  list(): Promise<Listed[]>
  /** Keeps files beside a log, before its first event is appended. A file that is there already stays as it is. */
  keepFiles(id: string, files: readonly StoredFile[]): Promise<void>
  /** Undefined if the session has no such file. */
  file(id: string, sha256: string): Promise<StoredFile | undefined>
  /** The files go too. Does nothing if there is no such session. */
  remove(id: string): Promise<void>
}

/** The same symbol in every copy of this package: `instanceof` fails if a program has loaded two of them. */
const marker = Symbol.for('roundtable.error.position-taken')

/** Somebody else has written at this position. A runner that gets this must stop running the session. */
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
