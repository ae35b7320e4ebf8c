/** What is needed to carry out a command, besides the session's state. */
import { UsageError } from '../core/errors.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import type { Session } from '../core/log/state.ts'
import { deadlineOf, shareForFirstToken } from '../core/progress/time-left.ts'
import type { Provider } from '../providers/provider.ts'
import type { Searcher } from '../providers/search/index.ts'
import type { Deadlines } from './attempt.ts'
import type { Meter } from './budget.ts'
import type { Pages } from './cited-pages.ts'
import type { CallQueue } from './limits.ts'
import type { FileOf } from './pictures.ts'

export interface RunContext {
  readonly providers: readonly Provider[]
  readonly meter: Meter
  readonly queue: CallQueue
  readonly clock: () => number
  /** The person's search endpoint. Absent: a model searches. */
  readonly searcher?: Searcher | undefined
  /** Pages that answers cite. */
  readonly pages: Pages
  readonly signal: AbortSignal
  /** Where the pictures of a question are read. */
  readonly file?: FileOf
  /** Tells the watchers. What it gets isn't stored. */
  readonly publish: (event: LiveEvent) => void
}

/** The provider and the model's id there, from a name in a log such as `lab/some/model`. */
export const resolveModel = (
  providers: readonly Provider[],
  name: string,
): { provider: Provider; model: string } => {
  const slash = name.indexOf('/')
  const id = slash < 0 ? '' : name.slice(0, slash)
  const model = name.slice(slash + 1)
  const provider = providers.find(candidate => candidate.id === id)
  if (provider && model !== '') return { provider, model }
  const known = providers.map(candidate => candidate.id).join(', ') || 'none'
  throw new UsageError(
    `"${name}" cannot be asked: its provider is not configured. Configured providers: ${known}.`,
    'not-configured',
  )
}

/** A stream that has started and then stops is most likely dead. */
const longestPauseBetweenTokens = 45_000

export const deadlinesWithin = (total: number): Deadlines => ({
  first: total * shareForFirstToken,
  between: Math.min(total, longestPauseBetweenTokens),
  total,
})

export const deadlinesFor = (session: Session, seat?: string): Deadlines =>
  deadlinesWithin(deadlineOf(session, seat) * 1_000)
