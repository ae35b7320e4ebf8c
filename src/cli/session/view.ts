/** What a watcher knows: the fold of the log so far, and what seats are just writing. */
import type { LiveEvent } from '../../core/log/event.ts'
import { apply, latestRound, type Session } from '../../core/log/state.ts'

/** A seat's answer on its way, or what it says as an advocate in its turn. */
export interface ViewDraft {
  readonly turn?: number
  /** What is shown of it: the headline, or an advocate's argument. */
  readonly words: string
  /** Characters of everything it wrote, hidden reasoning included. */
  readonly characters: number
  readonly state: 'thinking' | 'writing' | 'retrying'
  readonly attempt: number
}

export interface View {
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, ViewDraft>
  /** When the latest round began, by the watcher's clock. */
  readonly roundSince: number
  /** Whether something came that should be seen at once: more than another piece of a text. */
  take(event: LiveEvent, now: number): boolean
}

const fresh: ViewDraft = { words: '', characters: 0, state: 'writing', attempt: 1 }

export const createView = (): View => {
  let session: Session | undefined
  let roundSince = 0
  const drafts = new Map<string, ViewDraft>()

  const take = (event: LiveEvent, now: number): boolean => {
    if (event.type === 'delta') {
      if (event.round !== (session && latestRound(session)?.index)) return false
      const { turn } = event
      const before = drafts.get(event.seat)
      const known = before?.turn === turn ? before : undefined
      const draft = known?.state === 'retrying' ? { ...fresh, attempt: known.attempt } : (known ?? fresh)
      const isShown = event.field === (turn === undefined ? 'headline' : 'reasoning')
      drafts.set(event.seat, {
        ...draft,
        ...(turn !== undefined && { turn }),
        words: isShown ? (event.whole ? '' : draft.words) + event.text : draft.words,
        characters: Math.max(draft.characters, event.text.length + (event.whole ? 0 : draft.characters)),
        state: event.field === 'thinking' ? 'thinking' : 'writing',
      })
      return draft.characters === 0
    }
    if (event.type === 'retrying') {
      const { turn, attempt } = event
      drafts.set(event.seat, { ...fresh, ...(turn !== undefined && { turn }), state: 'retrying', attempt })
      return true
    }
    session = apply(session, event)
    if (event.type === 'statement-made') drafts.delete(event.seat)
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
