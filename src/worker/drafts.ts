/** What the seats of sessions are writing now, as far as this process knows, for watchers who come later. */
import { type Draft, endedBy, piecesOf, written } from '../core/log/draft.ts'
import type { Delta, LiveEvent, Retrying } from '../core/log/live-event.ts'

export interface Drafts {
  take(session: string, event: LiveEvent): void
  /** The pieces that make up every draft, for a new watcher. */
  of(session: string): readonly (Delta | Retrying)[]
}

/** A model may think at the length of a book: only the end of each field is kept, and a page shows that the rest is missing. */
const mostCharacters = 20_000
/** Some sessions never end here, because they were deleted or their process died. They must not be kept forever. */
const mostSessions = 1_000

const bounded = (draft: Draft, field: Delta['field']): Draft => {
  const text = draft[field]
  // Cut rarely and a lot: a cut at every piece would copy the whole text each time.
  if (text.length <= 2 * mostCharacters) return draft
  return { ...draft, [field]: text.slice(-mostCharacters).replace(/^[\uDC00-\uDFFF]/, '') }
}

export const keepDrafts = (): Drafts => {
  const sessions = new Map<string, Map<string, Draft>>()

  const seatsOf = (session: string): Map<string, Draft> => {
    const known = sessions.get(session)
    if (known) return known
    const [oldest] = sessions.keys()
    if (sessions.size >= mostSessions && oldest !== undefined) sessions.delete(oldest)
    const seats = new Map<string, Draft>()
    sessions.set(session, seats)
    return seats
  }

  const drop = (session: string, seat: string): void => {
    const seats = sessions.get(session)
    seats?.delete(seat)
    if (seats?.size === 0) sessions.delete(session)
  }

  return {
    take(session, event) {
      if (event.type === 'delta' || event.type === 'retrying') {
        const seats = seatsOf(session)
        const draft = written(seats.get(event.seat), event)
        seats.set(event.seat, event.type === 'delta' ? bounded(draft, event.field) : draft)
      } else if (event.type === 'session-stopped' || event.type === 'session-finished') {
        sessions.delete(session)
      } else {
        const seat = endedBy(event)
        if (seat !== undefined) drop(session, seat)
      }
    },
    of: session => [...(sessions.get(session) ?? [])].flatMap(([seat, draft]) => piecesOf(seat, draft)),
  }
}
