/** What every process that keeps and runs sessions has: the archive, the bus, and the queue of runs. */
import type { Happening, SessionEvent, SessionOpened } from '../core/log/event.ts'
import type { Archive } from '../store/archive/archive.ts'
import type { Bus } from './bus.ts'

export interface Queue {
  /** Stores a session's first event and queues its run: both or neither. */
  open(first: SessionEvent & SessionOpened): Promise<void>
  /**
   * Appends what a person did to a session, tells the watchers and whoever runs it, and queues its run: both or
   * neither. Fails with PositionTaken where the log went on meanwhile: read it again, and decide again.
   */
  interject(session: string, position: number, happening: Happening): Promise<SessionEvent>
}

export interface Engine {
  readonly archive: Archive
  readonly bus: Bus
  readonly queue: Queue
  /** Nobody else can open the archive while this process has it. */
  readonly alone?: boolean
  /** Ids of sessions that this process is running now. */
  running(): readonly string[]
  /** Hands running sessions over and gives up whatever is held. */
  close(): Promise<void>
}
