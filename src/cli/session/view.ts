/** What a watcher knows: the fold of the log so far, and what seats are writing right now. */
import { type Draft, endedBy, written } from '../../core/log/draft.ts'
import { draftFields, type LiveEvent } from '../../core/log/live-event.ts'
import { apply, latestRound, type Session } from '../../core/log/state.ts'

export interface View {
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
  /** When the latest round began, by the watcher's clock. */
  readonly roundSince: number
  /** Says whether the event should be shown at once: it is more than another piece of a text. */
  take(event: LiveEvent, now: number): boolean
}

/** Characters of everything that was written, hidden reasoning included. */
export const draftLength = (draft: Draft): number =>
  draftFields.reduce((sum, field) => sum + draft[field].length, 0)

export const createView = (): View => {
  let session: Session | undefined
  let roundSince = 0
  const drafts = new Map<string, Draft>()

  const take = (event: LiveEvent, now: number): boolean => {
    if (event.type === 'delta' || event.type === 'retrying') {
      // A piece of a round that is over came too late to be shown.
      if (event.type === 'delta' && event.round !== (session && latestRound(session)?.index)) return false
      const before = drafts.get(event.seat)
      const draft = written(before, event)
      drafts.set(event.seat, draft)
      const goesOn = before !== undefined && before.turn === draft.turn && draftLength(before) > 0
      return event.type === 'retrying' || !goesOn
    }
    session = apply(session, event)
    const ended = endedBy(event)
    if (ended !== undefined) drafts.delete(ended)
    if (event.type === 'round-opened') {
      drafts.clear()
      roundSince = now
    }
    return true
  }

  return {
    get session() {
      return session
    },
    drafts,
    get roundSince() {
      return roundSince
    },
    take,
  }
}
