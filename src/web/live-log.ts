/** The page's copy of a session: its log without gaps or duplicates, and what seats are writing now. */
import { type Draft, endedBy, written } from '../core/log/draft.ts'
import type { SessionEvent } from '../core/log/event.ts'
import type { Delta, LiveEvent, Retrying } from '../core/log/live-event.ts'
import { roundAt } from '../core/log/session.ts'
import { apply, type Session } from '../core/log/state.ts'

export interface LiveLog {
  readonly events: readonly SessionEvent[]
  /** The fold of `events`. */
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
}

export const emptyLog: LiveLog = { events: [], session: undefined, drafts: new Map() }

export interface Taken {
  readonly log: LiveLog
  /** Seats whose draft has changed. */
  readonly seats: ReadonlySet<string>
  /** An event is missing before one that arrived: the log must be requested again from there. */
  readonly gap: boolean
}

/** A delta that arrives after its answer or turn would leave a draft that never ends. */
const isLate = (session: Session | undefined, { round, turn, seat }: Delta | Retrying): boolean => {
  const current = session && roundAt(session, round)
  if (turn === undefined) return current?.handedIn[seat] !== undefined
  return current?.statements?.some(statement => statement.turn === turn) ?? false
}

/** The log with the events that arrived since. */
export const take = (before: LiveLog, arrived: readonly LiveEvent[]): Taken => {
  const added: SessionEvent[] = []
  const drafts = new Map(before.drafts)
  const seats = new Set<string>()
  let session = before.session
  for (const event of arrived) {
    if (event.type === 'delta' || event.type === 'retrying') {
      if (isLate(session, event)) continue
      drafts.set(event.seat, written(drafts.get(event.seat), event))
      seats.add(event.seat)
      continue
    }
    const next = before.events.length + added.length
    if (event.position < next) continue
    if (event.position > next) return { log: logOf(before, added, session, drafts), seats, gap: true }
    session = apply(session, event)
    added.push(event)
    const ended = endedBy(event)
    if (ended !== undefined && drafts.delete(ended)) seats.add(ended)
  }
  return { log: logOf(before, added, session, drafts), seats, gap: false }
}

const logOf = (
  before: LiveLog,
  added: readonly SessionEvent[],
  session: Session | undefined,
  drafts: ReadonlyMap<string, Draft>,
): LiveLog => ({ events: added.length > 0 ? [...before.events, ...added] : before.events, session, drafts })

/** For a new stream, which begins with all drafts: those of the old one would appear twice. */
export const withoutDrafts = (log: LiveLog): LiveLog => ({ ...log, drafts: new Map() })
