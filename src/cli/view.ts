/** What a watcher knows: the fold of the log so far, and what seats are just writing. */
import type { LiveEvent } from '../core/event.ts'
import { apply, latestRound, type Session } from '../core/state.ts'

/** A seat's answer on its way. */
export interface Draft {
  readonly headline: string
  /** Characters of everything it wrote, hidden reasoning included. */
  readonly characters: number
  readonly state: 'thinking' | 'writing' | 'retrying'
  readonly attempt: number
}

export interface View {
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
  /** When the latest round began, by the watcher's clock. */
  readonly roundSince: number
  /** Whether something came that should be seen at once: more than another piece of a text. */
  take(event: LiveEvent, now: number): boolean
}

const fresh: Draft = { headline: '', characters: 0, state: 'writing', attempt: 1 }

export const createView = (): View => {
  let session: Session | undefined
  let roundSince = 0
  const drafts = new Map<string, Draft>()

  const take = (event: LiveEvent, now: number): boolean => {
    if (event.type === 'delta') {
      if (event.round !== (session && latestRound(session)?.index)) return false
      const known = drafts.get(event.seat)
      const draft = known?.state === 'retrying' ? { ...fresh, attempt: known.attempt } : (known ?? fresh)
      drafts.set(event.seat, {
        ...draft,
        headline:
          event.field === 'headline' ? (event.whole ? '' : draft.headline) + event.text : draft.headline,
        characters: Math.max(draft.characters, event.text.length + (event.whole ? 0 : draft.characters)),
        state: event.field === 'thinking' ? 'thinking' : 'writing',
      })
      return draft.characters === 0
    }
    if (event.type === 'retrying') {
      drafts.set(event.seat, { ...fresh, state: 'retrying', attempt: event.attempt })
      return true
    }
    session = apply(session, event)
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
