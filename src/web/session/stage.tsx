/** What all parts of the page share: the session at the shown moment, and what a reader looks at. */

import { Link, useNavigate } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { OwnershipReply, SessionAct } from '../../api/common.ts'
import {
  capitalised,
  counted,
  dollars,
  type ModelErrorKind,
  reportWriter,
  spentCost,
  wholeNumber,
  wordingOf,
} from '../../core/basics.ts'
import type { SessionEvent } from '../../core/event.ts'
import { fold, usageOf } from '../../core/fold.ts'
import type { Seat } from '../../core/opening.ts'
import type { Source } from '../../core/question.ts'
import { type Draft, isClosed, latestRound, type Round, type Session, seatsIn } from '../../core/session.ts'
import { nextTurn } from '../../count/group.ts'
import type { CampNumbers, Standing } from '../../count/moves.ts'
import { carryTitles } from '../../words/asking.ts'
import { decisionIn, moveWords, roundName, saidOtherwiseWords } from '../../words/moves.ts'
import { asReporting, silentIn, stageOf } from '../../words/stages.ts'
import { kindText } from '../../words/story.ts'
import {
  cachedWords,
  draftWords,
  failureWords,
  sentenceAt,
  sourceHead,
  sourcesTitle,
} from '../../words/words.ts'
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

// reportDraft: The report while the moderator writes it. Its counts may still change until the session is over.

/** Its parts in the order in which they are written: what comes later must not push what is being read. */
export const useReportDraft = (): readonly string[] => {
  const { live, atEnd, session } = useStage()
  const draft = useDraft(live, reportWriter)
  if (!draft || !atEnd || session.stopped) return []
  return [draft.points, draft.reasoning, draft.headline].filter(part => part.trim() !== '')
}

export const ReportDraft = ({ parts }: { parts: readonly string[] }) => (
  <section aria-label="The report, as it is written" aria-busy="true" className="card mt-3 px-4 py-3">
    {parts.map((part, place) => (
      <p key={place} dir="auto" className="said mt-2 whitespace-pre-line wrap-anywhere">
        {part}
      </p>
    ))}
  </section>
)

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

// sources: What the web search found for all seats. Titles and quotes are strangers' words, and stay text.

const Entry = ({ source, head }: { source: Source; head: string }) => (
  <li className="wrap-anywhere" dir="auto">
    {head}:{' '}
    <a
      className="underline decoration-soft underline-offset-3 hover:text-ink"
      href={source.address}
      target="_blank"
      rel="noopener noreferrer"
    >
      {source.address}
    </a>
    {source.quotes.map((quote, index) => (
      <p key={index} className="said ps-4 italic">
        “{quote}”
      </p>
    ))}
    {source.unchecked !== undefined && <p className="ps-4">Quotes not looked up: {source.unchecked}</p>}
  </li>
)

export const Sources = () => {
  const { session } = useStage()
  const { sources = [], searchFailed, question } = session
  if (searchFailed)
    return <p className="text-sm text-soft">The web search failed: {failureWords(searchFailed)}</p>
  if (sources.length === 0) return null
  return (
    <details className="text-sm text-soft">
      <summary>
        {sourcesTitle}: {sources.length}
      </summary>
      <ul className="mt-1 space-y-2">
        {sources.map((one, index) => (
          <Entry key={one.address} source={one} head={sourceHead(one, index, question.attachments.length)} />
        ))}
      </ul>
    </details>
  )
}

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

/** What to press instead: the page has buttons for it. */
const ownAdvice: Partial<Record<ModelErrorKind, string>> = {
  timeout: 'Ask it again, or seat a faster model.',
  'wrong-key': 'Check the API key of this provider. The settings show which variable holds it.',
}

export const adviceOf = (kind: ModelErrorKind, { outside }: Pick<Seat, 'outside'>): string =>
  outside ? 'Ask it again, and it has the same time once more.' : (ownAdvice[kind] ?? wordingOf(kind).advice)

/** "changed its mind" once that is computed; until then, what the seat itself says. */
export const changeOf = ({ move, handedIn }: Standing): string | undefined => {
  if (move === 'switched') return moveWords.switched
  if (move !== null || handedIn?.status !== 'given') return undefined
  return handedIn.answer.decision === 'changed' ? saidOtherwiseWords.changed : undefined
}

/** "says it kept its answer": shown as soon as it is there, because the camps of a round are computed when all have answered. */
export const keptOf = ({ move, handedIn }: Standing): string | undefined => {
  const decision = move === null && handedIn?.status === 'given' ? decisionIn(handedIn.answer) : undefined
  return decision && saidOtherwiseWords[decision === 'conceded' ? 'kept' : decision]
}

/** Shows that the beginning is missing, for a page that was opened in the middle of an answer. */
export const fromMiddle = (text: string): string =>
  /^[\s\p{Ll},.;:)]/u.test(text) ? `… ${text.trimStart()}` : text

/** An answer on its way, in one line. A page has room for what a model thinks, too. */
export const draftLine = (draft: Draft): string =>
  draft.headline ? fromMiddle(draft.headline) : draftWords(draft) || sentenceAt(draft.thinking)

/** Of a person one doesn't say "it". */
export const goOnWords = ({ name, person }: Pick<Seat, 'name' | 'person'>): string =>
  `Go on without ${person ? name : 'it'}`

/** Seats that are neither waited for nor have answered: without them the figures don't add up. */
const missingCount = (session: Session, round: Round): string => {
  const silent = silentIn(session, round).length
  const abstained = Object.values(round.handedIn).filter(({ status }) => status === 'abstained').length
  return [
    ...(silent > 0 ? [`, ${silent} ${silent === 1 ? 'is' : 'are'} silent`] : []),
    ...(abstained > 0 ? [`, ${abstained} abstained`] : []),
  ].join('')
}

/** What is happening now. */
export const roundProgress = (session: Session): string => {
  const round = latestRound(session)
  if (session.outcome) return 'The session is over.'
  if (session.stopped) return 'The session is ending.'
  if (!round) return 'The seats are being filled.'
  const seats = seatsIn(session, round.index)
  const done = seats.filter(seat => round.handedIn[seat.id]?.status === 'given').length
  if (!isClosed(session, round))
    return `${roundName(round)}: ${done} of ${seats.length} have answered${missingCount(session, round)}.`
  if (session.report) return 'The report is written.'
  if (stageOf(session) === 'report') return 'The report is being written.'
  if (!round.statements) return 'The moderator is reading the answers.'
  return nextTurn(session, round) ? 'The advocates are speaking.' : 'The advocates have spoken.'
}

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
