/** What carrying out a command needs besides the session's state. */
import { UsageError } from '../core/errors.ts'
import type { LiveEvent } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import type { Provider } from '../providers/provider.ts'
import type { Deadlines } from './attempt.ts'
import type { Meter } from './budget.ts'
import type { Gates } from './limits.ts'

export interface RunContext {
  readonly providers: readonly Provider[]
  readonly meter: Meter
  readonly gates: Gates
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Tells the watchers; what it is given is not stored. */
  readonly publish: (event: LiveEvent) => void
}

/** `lab/some/model`, as a log has it: its provider, and the model's id there. */
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

/** A token may take its time, but a stream that has begun and stops is most likely dead. */
const longestPauseBetweenTokens = 45_000
const shareForFirstToken = 0.75

export const deadlinesFor = (session: Session, seat?: string): Deadlines => {
  const hung = session.roundsSoFar.some(round => {
    const handedIn = seat === undefined ? undefined : round.handedIn[seat]
    return handedIn?.status === 'silent' && handedIn.error.kind === 'timeout'
  })
  // A seat that hung once is not waited for as long a second time.
  const total = (session.deadline * 1_000) / (hung ? 4 : 1)
  return { first: total * shareForFirstToken, between: Math.min(total, longestPauseBetweenTokens), total }
}
