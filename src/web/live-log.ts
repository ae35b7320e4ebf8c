/** What the page has of a session: its log without gap or repetition, and what seats are writing now. */
import { type Draft, endedBy, written } from '../core/log/draft.ts'
import type { Delta, LiveEvent, Retrying, SessionEvent } from '../core/log/event.ts'
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
  /** Seats whose draft is another one now. */
  readonly seats: ReadonlySet<string>
  /** An event is missing before one that came: the rest must be asked for again. */
  readonly gap: boolean
}

/** A piece that overtook the answer or the turn it belongs to would stand there for ever. */
const isLate = (session: Session | undefined, { round, turn, seat }: Delta | Retrying): boolean => {
  const current = session && roundAt(session, round)
  if (turn === undefined) return current?.handedIn[seat] !== undefined
  return current?.statements?.some(statement => statement.turn === turn) ?? false
}

/** The log after everything that came in the meantime. */
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

/** Words that were heard on another stream: the next one tells anew what is being written. */
export const withoutDrafts = (log: LiveLog): LiveLog => ({ ...log, drafts: new Map() })
