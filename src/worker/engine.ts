/** What every process that stores and runs sessions has: the archive, the bus, and the queue of runs. */
import type { Happening, SessionEvent, SessionOpened } from '../core/log/event.ts'
import type { Archive, Ownership } from '../store/archive/archive.ts'
import type { Bus } from './bus.ts'
import type { Payers } from './payers.ts'

export interface Queue {
  /** Stores a session's first event, with the rest of a copied log, and queues its run: all or nothing. Without an owner it is the team's. */
  open(
    first: SessionEvent & SessionOpened,
    rest?: readonly SessionEvent[],
    ownership?: Ownership,
  ): Promise<void>
  /**
   * Appends what a person did to a session and queues its run, both or neither; then tells watchers and the runner.
   * Fails with PositionTaken if the log has grown meanwhile: read it again, and decide again.
   */
  interject(session: string, position: number, happening: Happening): Promise<SessionEvent>
}

export interface Engine {
  readonly archive: Archive
  readonly bus: Bus
  readonly queue: Queue
  /** No other process can open the archive while this one has it. */
  readonly alone?: boolean
  /** The budgets of a person and the team, for calls outside of any session. */
  readonly meterOf?: Payers['meterOf']
  /** Ids of sessions that this process is running now. */
  running(): readonly string[]
  /** Releases running sessions for other processes, and closes everything. */
  close(): Promise<void>
}
