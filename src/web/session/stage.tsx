/** What all parts of the page share: the session at the shown moment, and what a reader looks at. */

import { Link, useNavigate } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { OwnershipReply, SessionAct } from '../../api/common.ts'
import { capitalised, counted, dollars, reportWriter, spentCost, wholeNumber } from '../../core/basics.ts'
import type { SessionEvent } from '../../core/event.ts'
import { fold, usageOf } from '../../core/fold.ts'
import type { Seat } from '../../core/opening.ts'
import type { Session } from '../../core/session.ts'
import type { CampNumbers, Standing } from '../../count/moves.ts'
import { carryTitles } from '../../words/asking.ts'
import { moveWords, saidOtherwiseWords } from '../../words/moves.ts'
import { asReporting } from '../../words/stages.ts'
import { kindText } from '../../words/story.ts'
import { cachedWords } from '../../words/words.ts'
import { type LiveSession, useDraft } from '../kit/live.ts'

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

// askAnother: A fork from the start: the ask page opens with this question and table, where everything can be changed.

export const useAskAnother = (): (() => Promise<void>) => {
  const navigate = useNavigate()
  const { session } = useStage()
  return async () => {
    const { id, after } = session
    const { formFrom, keepDraft } = await import('../ask/form-data.ts')
    keepDraft({
      ...formFrom(session),
      forkedFrom: id,
      ...(after && { after: { session: after.session, carry: after.carry } }),
    })
    await navigate({ to: '/' })
  }
}

// seatAnchor: Where a seat stands on the page.

/** The part of the address that leads to a seat. */
export const seatAnchor = ({ alias }: Pick<Seat, 'alias'>): string => `seat-${alias}`

// costParts: What a session has cost so far, in a few words. By itself: the table of costs loads later.

/** For the head of the page; nothing if a session that is over used nothing, such as an imported transcript. */
export const costParts = (session: Session): string[] => {
  const usage = usageOf(session)
  const used = usage.inputTokens + usage.outputTokens
  if (session.outcome && used === 0) return []
  const cap = session.budget?.usd
  const cost = spentCost(usage, 'cost unknown')
  const limit = cap === undefined ? '' : ` of ${dollars(cap)}`
  return [`${cost}${limit}`, `${wholeNumber(used)} tokens${cachedWords(usage)}`]
}

// moment: A moment of the log: its end, or any earlier position, chosen by hand or in a replay.

export const speeds = [1, 2, 4, 8] as const
export type Speed = (typeof speeds)[number]

/** A replay skips long waits, and shows every event long enough to be seen. */
const longestPause = 2_500
const shortestPause = 250

/** Milliseconds from one event to the next in a replay. */
export const pauseBefore = (events: readonly SessionEvent[], next: number, speed: number): number => {
  const [before, after] = [events[next - 1], events[next]]
  const passed = before && after ? Date.parse(after.at) - Date.parse(before.at) : 0
  return Math.min(longestPause, Math.max(shortestPause, passed)) / speed
}

export interface Moment {
  /** How many events have happened. */
  readonly count: number
  readonly session: Session | undefined
  /** Everything that has happened so far is shown. */
  readonly atEnd: boolean
  readonly playing: boolean
  readonly speed: Speed
  seek(count: number): void
  /** From the beginning if the end is shown. */
  play(): void
  pause(): void
  setSpeed(speed: Speed): void
}

export const useMoment = (events: readonly SessionEvent[], latest: Session | undefined): Moment => {
  const [chosen, setChosen] = useState<number | undefined>()
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(2)
  const count = Math.min(chosen ?? events.length, events.length)
  const atEnd = chosen === undefined
  const session = useMemo(
    () => (atEnd ? latest : fold(events.slice(0, count))),
    [atEnd, latest, events, count],
  )
  const seek = (to: number): void => setChosen(to >= events.length ? undefined : Math.max(1, to))
  useEffect(() => {
    if (!playing) return
    if (count >= events.length) {
      setChosen(undefined)
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => setChosen(count + 1), pauseBefore(events, count, speed))
    return () => clearTimeout(timer)
  }, [playing, count, events, speed])
  return {
    count,
    session,
    atEnd,
    playing,
    speed,
    setSpeed,
    seek(to) {
      setPlaying(false)
      seek(to)
    },
    play() {
      if (atEnd) setChosen(1)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
  }
}

// sharingMark: Who else sees the session, in the line above the question.

const wordsOf = ({ own, visibility, by }: OwnershipReply): string => {
  if (visibility === 'private') return 'Private'
  if (own) return 'Shared with the team'
  return by === null ? 'The team’s' : `Shared by ${by}`
}

export const SharingMark = ({ ownership }: { ownership: OwnershipReply }) => (
  <>
    {' · '}
    <span className="inline-block max-w-full rounded bg-shade px-1.5 py-0.5 wrap-anywhere text-ink">
      {wordsOf(ownership)}
    </span>
  </>
)

// wording: What only the page of a session says; words that other faces share are in src/words/.

export const kindOf = ({ question, roundsSoFar, rounds, outcome }: Session): string => {
  const debated = outcome ? roundsSoFar.some(round => !round.sealed) : rounds > 0
  return kindText(question.format, debated)
}

/** "Market: a sealed round, then 2 open rounds": how the table works, for those who don't know its protocol by name. */
export const heldAs = ({ protocol, imported, roundsSoFar, rounds, outcome }: Session): string => {
  if (imported) return 'imported transcript'
  const open = outcome ? roundsSoFar.filter(round => !round.sealed).length : rounds
  const most = outcome ? '' : 'up to '
  const rest = open === 0 ? ' only' : `, then ${most}${counted(open, 'open round')}`
  return `${capitalised(protocol)}: a sealed round${rest}`
}

/** "changed its mind" once that is computed; until then, what the seat itself says. */
export const changeOf = ({ move, handedIn }: Standing): string | undefined => {
  if (move === 'switched') return moveWords.switched
  if (move !== null || handedIn?.status !== 'given') return undefined
  return handedIn.answer.decision === 'changed' ? saidOtherwiseWords.changed : undefined
}

/** Shows that the beginning is missing, for a page that was opened in the middle of an answer. */
export const fromMiddle = (text: string): string =>
  /^[\s\p{Ll},.;:)]/u.test(text) ? `… ${text.trimStart()}` : text

/** Of a person one doesn't say "it". */
export const goOnWords = ({ name, person }: Pick<Seat, 'name' | 'person'>): string =>
  `Go on without ${person ? name : 'it'}`

// above: What the session follows or was forked from, in the head of its page: known from its own log, so nothing is loaded.

const linkClass = 'font-medium text-accent hover:underline'

/** The question of the session before, if it was carried over; otherwise its id. */
const Earlier = ({ id, question }: { id: string; question?: string }) => {
  const { readOnly } = useStage()
  const words = question ? `“${question.length > 90 ? `${question.slice(0, 90)}…` : question}”` : id
  // Whoever has a link to one session may not open others.
  if (readOnly) return <span dir="auto">{words}</span>
  return (
    <Link to="/s/$id" params={{ id }} className={linkClass}>
      <span dir="auto">{words}</span>
    </Link>
  )
}

export const Above = () => {
  const { session, readOnly } = useStage()
  const { after, forkedFrom } = session
  if (!after && !forkedFrom) return null
  const shared = forkedFrom?.round
  return (
    <div className="space-y-1 text-sm text-soft">
      {after && (
        <p>
          Follow-up to <Earlier id={after.session} question={after.carried.at(-1)?.question} />. Its seats
          were told {carryTitles[after.carry]} of it.
        </p>
      )}
      {forkedFrom && (
        <p>
          Fork of <Earlier id={forkedFrom.session} />{' '}
          {shared === undefined
            ? 'from the start.'
            : `after ${shared === 0 ? 'the sealed round' : `round ${shared}`}. What was said before is copied: its cost and tokens count there, not here.`}{' '}
          {!readOnly && (
            <a className={linkClass} href={`/compare?a=${forkedFrom.session}&b=${session.id}`}>
              Compare the two
            </a>
          )}
        </p>
      )}
    </div>
  )
}
