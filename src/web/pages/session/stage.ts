/** What all parts of the page share: the session at the shown moment, and what a reader looks at. */
import { createContext, useContext } from 'react'
import type { OwnershipReply, SessionAct } from '../../../api/index.ts'
import type { CampNumbers } from '../../../core/camps/standings.ts'
import { reportWriter } from '../../../core/log/live-event.ts'
import type { Session } from '../../../core/log/state.ts'
import { asReporting } from '../../../core/progress/steps.ts'
import { type LiveSession, useDraft } from '../../live.ts'

/** Words of a seat that the reader asked to see. */
export interface Revealed {
  readonly seat: string
  readonly round?: number
  readonly quote?: string
  /** The same words may be asked for twice. */
  readonly time: number
}

export interface Stage {
  /** At the shown moment. */
  readonly session: Session
  readonly numbers: CampNumbers
  readonly live: LiveSession
  /** The shown moment is the latest, so drafts belong to it. */
  readonly atEnd: boolean
  /** The session is under way, and its stream is open: what seats write arrives. */
  readonly streaming: boolean
  /** The page was opened while the session ran. Then nothing on it is moved, not even when the session is over. */
  readonly calm: boolean
  /** Whoever reads has a link to this session alone. */
  readonly readOnly: boolean
  /** Only while accounts are on: whose it is, and who else sees it. */
  readonly ownership?: OwnershipReply | undefined
  /** Whether the reader may do this to the session. */
  may(act: SessionAct): boolean
  readonly revealed?: Revealed
  reveal(seat: string, round?: number, quote?: string): void
  retry(seat: string): void
  replace(seat: string): void
  goOn(seat: string): void
}

/** Says yes once for each wish, so that a card which is drawn again doesn't pull its reader back. */
export const once = (): ((wish: Revealed) => boolean) => {
  const done = new WeakSet<Revealed>()
  return wish => {
    if (done.has(wish)) return false
    done.add(wish)
    return true
  }
}

const StageContext = createContext<Stage | undefined>(undefined)

export const StageProvider = StageContext.Provider

export const useStage = (): Stage => {
  const stage = useContext(StageContext)
  if (!stage) throw new Error('This part belongs on the page of a session.')
  return stage
}

/** The session as a reader sees it at its end: a report may be on its way that the log doesn't have yet. */
export const useSeen = (session: Session): Session => {
  const { live, atEnd } = useStage()
  const draft = useDraft(live, reportWriter)
  return asReporting(session, atEnd && draft !== undefined)
}
