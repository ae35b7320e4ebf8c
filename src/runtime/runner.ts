/** What runs sessions: its providers, its store, and who is told. */
import type { LiveEvent } from '../core/log/live-event.ts'
import type { Session } from '../core/log/state.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Provider } from '../providers/provider.ts'
import type { Searcher } from '../providers/search/index.ts'
import type { Store } from '../store/store.ts'
import type { Meter } from './budget.ts'
import type { ReadPage } from './cited-pages.ts'
import type { OpenQueue } from './limits.ts'
import type { FileOf } from './pictures.ts'

export interface Runner {
  readonly providers: readonly Provider[]
  readonly openQueue: OpenQueue
  readonly clock: () => number
  /** The person's search endpoint. Absent: a model searches. */
  readonly searcher?: Searcher | undefined
  /** Reads a page that an answer cites. Absent: fetches it, guarded. */
  readonly readPage?: ReadPage | undefined
  readonly store?: Store
  /** The files of sessions. Absent: the store's. */
  readonly file?: FileOf
  readonly signal: AbortSignal
  readonly publish: (event: LiveEvent) => void
  /** Calls back when somebody else has written to the log. Returns how to stop listening. */
  readonly interjected?: (written: () => void) => () => void
  /** Gives the session up for somebody else to resume: calls are cancelled, and nothing more is written. */
  readonly abandoned?: AbortSignal
  /** The protocols that a session may have. Absent: the built-in ones. */
  readonly protocols?: readonly Protocol[]
  /** Throws if this log may not be run here: what may not be asked may not be resumed either. */
  readonly refuse?: ((session: Session) => void) | undefined
  /** A budget that several sessions share, instead of the session's own. */
  readonly meter?: Meter
  /** The budgets of whoever pays, besides the session's own. */
  readonly payer?: Meter | undefined
}
