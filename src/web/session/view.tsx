/** Says what happens to those who don't see it: changes of mind and silent seats as they come, and then the verdict, once. */

import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { OwnershipReply } from '../../api/common.ts'
import type { SessionEvent } from '../../core/event.ts'
import { kindSaid } from '../../core/form.ts'
import type { Session } from '../../core/session.ts'
import { campNumbers, standingsIn } from '../../count/moves.ts'
import { levelTitle } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { shortVerdictLine } from '../../count/verdict-line.ts'
import { formatNote, instructionNote, kindSentence } from '../../words/asking.ts'
import { endingOf } from '../../words/moves.ts'
import { handedInWords, outsideNote, tableWords } from '../../words/words.ts'
import { goOnWithout, retrySeat } from '../kit/api.ts'
import { useTitle } from '../kit/controls.tsx'
import { Problem } from '../kit/frame.tsx'
import { useLiveSession, useLiveState } from '../kit/live.ts'
import { useMutation } from '../kit/mutation.ts'
import { Legend, RoundTable, Timeline } from './round-table.tsx'
import {
  Above,
  changeOf,
  costParts,
  heldAs,
  type Revealed,
  SharingMark,
  type Stage,
  StageProvider,
  seatAnchor,
  useMoment,
  useStage,
} from './stage.tsx'
import { VerdictCard } from './verdict.tsx'

const wordsOf = (session: Session): string => {
  if (!session.outcome) return ''
  const verdict = verdictOf(session)
  const ending = endingOf(session)
  const said = (verdict.level === 'no-quorum' && ending?.words) || shortVerdictLine(session, verdict)
  const level = verdict.level && !session.imported ? `${levelTitle(verdict.level, verdict.of === 1)}. ` : ''
  const answer = verdict.level === 'no-quorum' ? '' : (session.report?.answer ?? '')
  return `Verdict: ${level}${said}. ${answer}`.trim()
}

/** Every change of mind and every seat that failed, in the order of the rounds. */
const News = ({ session }: { session: Session }) => {
  const { numbers } = useStage()
  const news = session.roundsSoFar.flatMap(round =>
    standingsIn(session, round, numbers).flatMap(standing => {
      const { seat, handedIn } = standing
      const words =
        handedIn?.status === 'silent'
          ? `silent, ${handedInWords(session.question, handedIn)}`
          : changeOf(standing)
      return words ? [{ id: `${round.index} ${seat.id}`, words: `${seat.name}: ${words}` }] : []
    }),
  )
  return (
    <div role="log" aria-label="Changes and failures" className="sr-only print:hidden">
      {news.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}

/** Both regions are there before they have words: otherwise nobody would be told. */
export const Announced = ({ session }: { session: Session }) => (
  <>
    <p role="status" aria-live="polite" aria-label="Verdict" className="sr-only print:hidden">
      {wordsOf(session)}
    </p>
    {!session.outcome && <News session={session} />}
  </>
)

// sessionView: The page of a session: question, answer, the table, how minds moved, and what every seat said.

/** What only a session under way shows. Nothing else of it is drawn before, so that nothing moves. */
const LiveParts = lazy(() => import('./parts.tsx'))
/** Also without people: one may join, and what loads only then would hide the page for a moment. */
const PeopleLinks = lazy(async () => ({ default: (await import('./people.tsx')).PeopleLinks }))
const LiveStrip = lazy(() => import('./strip.tsx'))
/** Menus, dialogs, and all that is below the verdict and the table load after these. */
const Below = lazy(() => import('./below.tsx'))
const PrintView = lazy(() => import('./print-view.tsx'))
const ReplaceDialog = lazy(async () => ({ default: (await import('./fork-dialog.tsx')).ReplaceDialog }))
const Actions = lazy(() => import('./actions.tsx'))
const PeoplePanel = lazy(async () => ({ default: (await import('./people.tsx')).PeoplePanel }))
const Exhibits = lazy(() => import('./exhibits.tsx'))
const KindMenu = lazy(() => import('./kind-menu.tsx'))
const TourCaption = lazy(() => import('./tour-caption.tsx'))

/** What kind of question it is, who says so, and a menu to correct it. Below the table: when it is found, nothing moves. */
const KindOfQuestion = () => {
  const { session, may } = useStage()
  const said = kindSaid(session)
  if (!said && (!may('change-session') || session.imported)) return null
  return (
    <div className="min-h-20 border-t border-line pt-3 text-sm text-soft print:hidden">
      {said && <p>{kindSentence(said.kind, said.by)}</p>}
      {may('change-session') && (
        <div className="-ml-2.5 sm:-ml-3">
          <Suspense>
            <KindMenu />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** What people may add while the session runs. It stays where it is when the session ends, so that nothing moves. */
const Additions = () => {
  const { session, may, calm } = useStage()
  if (!may('change-session') || session.imported || !calm) return null
  return (
    <div className="min-h-64 print:hidden">
      <Suspense>
        <PeoplePanel />
      </Suspense>
    </div>
  )
}

/** The tour is the session whose seats are all scripted. It has room for its caption from the start. */
const Tour = () => {
  const { session, readOnly } = useStage()
  if (readOnly || !session.seats.every(({ scripted }) => scripted)) return null
  return (
    <div className="min-h-27 sm:min-h-18 xl:min-h-12 print:hidden">
      <Suspense>
        <TourCaption />
      </Suspense>
    </div>
  )
}

/** A long question leaves room for its answer. */
const questionSize = ({ length }: string): string => {
  if (length > 240) return 'text-lg leading-relaxed'
  return length > 90
    ? 'text-xl leading-snug font-semibold sm:text-2xl'
    : 'text-2xl leading-tight font-semibold sm:text-4xl'
}

const Question = () => {
  const { session, readOnly, ownership, calm } = useStage()
  const { question } = session
  const note = formatNote(question)
  const outside = outsideNote(session.seats)
  const instruction = instructionNote(question)
  return (
    <header className="space-y-3">
      <p className={`text-sm text-soft sm:min-h-0 ${calm ? (ownership ? 'min-h-16' : 'min-h-10') : ''}`}>
        {[tableWords(session.seats), heldAs(session), ...costParts(session)].join(' · ')}
        {ownership && <SharingMark ownership={ownership} />}
      </p>
      <h1 dir="auto" className={`said max-w-4xl whitespace-pre-wrap ${questionSize(question.text)}`}>
        {question.text}
      </h1>
      <Above />
      {note && <p className="text-soft">{note}</p>}
      {outside && <p className="text-sm text-soft">{outside}</p>}
      {instruction && (
        <p dir="auto" className="said max-h-24 overflow-y-auto text-sm whitespace-pre-wrap text-soft">
          {instruction}
        </p>
      )}
      {question.attachments.length > 0 && (
        <div className="min-h-10">
          <Suspense>
            <Exhibits />
          </Suspense>
        </div>
      )}
      <div className="min-h-9 print:hidden">
        {!readOnly && (
          <Suspense>
            <Actions />
          </Suspense>
        )}
      </div>
    </header>
  )
}

/** Fills the window while a session is watched, so that what is below it isn't moved by what it says. */
const Top = () => {
  const { session, calm } = useStage()
  const over = session.report !== undefined || session.outcome !== undefined
  const left = useRef<HTMLDivElement>(null)
  /** The height while the seats were at work: a short verdict must not pull up what is below it. */
  const [kept, setKept] = useState(0)
  useLayoutEffect(() => {
    if (calm && !over) setKept(left.current?.offsetHeight ?? 0)
  }, [calm, over])
  return (
    <div
      className={`grid content-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)] lg:grid-rows-[auto_1fr] lg:gap-x-12 ${calm ? 'min-h-[calc(100svh-20rem)]' : ''}`}
    >
      {calm || !over ? (
        <div ref={left} style={{ minHeight: kept }} className="min-w-0 space-y-5 lg:row-span-2">
          {over ? (
            <VerdictCard />
          ) : (
            <>
              <PeopleLinks />
              <LiveParts />
            </>
          )}
        </div>
      ) : (
        <VerdictCard />
      )}
      <aside className="order-2 space-y-5 lg:sticky lg:top-6 lg:order-none lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
        <RoundTable />
        <Legend />
        <KindOfQuestion />
        <Additions />
      </aside>
    </div>
  )
}

const Content = () => (
  <div className="space-y-12 print:hidden">
    <Suspense fallback={<div className="min-h-screen" />}>
      <Top />
      <Suspense fallback={<div className="min-h-screen" />}>
        <Below />
      </Suspense>
    </Suspense>
  </div>
)

/** Somebody who watched from another tab sees how it ended. */
const titleAfter = ({ outcome, question }: Session): string => {
  if (!outcome) return question.text
  return `${outcome === 'verdict' ? '✓ Verdict' : 'Ended'}: ${question.text}`
}

/** Whoever follows a link to a seat is led there, once. */
const linkedSeat = (session: Session | undefined): Revealed | undefined => {
  const seat = session?.seats.find(one => location.hash === `#${seatAnchor(one)}`)
  return seat && { seat: seat.id, time: Date.now() }
}

interface SessionViewProps {
  /** The address of the session's stream. */
  readonly stream: string
  readonly known: readonly SessionEvent[]
  readonly readOnly?: boolean
  readonly ownership?: OwnershipReply | undefined
}

export const SessionView = ({ stream, known, readOnly = false, ownership }: SessionViewProps) => {
  const live = useLiveSession(stream, known)
  const { events, session: latest, connection } = useLiveState(live)
  const moment = useMoment(events, latest)
  const [revealed, setRevealed] = useState(() => linkedSeat(latest))
  const [replacing, setReplacing] = useState<string>()
  const retry = useMutation({
    mutationFn: (seat: string) => retrySeat(latest?.id ?? '', seat),
    onSuccess: () => live.watch(),
  })
  const goOn = useMutation({ mutationFn: (seat: string) => goOnWithout(latest?.id ?? '', seat) })
  const [calm] = useState(latest !== undefined && latest.outcome === undefined)
  const running = latest !== undefined && latest.outcome === undefined
  useTitle(latest && (calm ? titleAfter(latest) : latest.question.text))
  const numbers = useMemo(() => (latest ? campNumbers(latest) : new Map<string, number>()), [latest])
  const { session, atEnd } = moment
  if (!session || !latest) return null
  const stage: Stage = {
    session,
    numbers,
    live,
    atEnd,
    streaming: running && connection === 'live',
    calm,
    readOnly,
    ownership,
    may: act => !readOnly && (!ownership || ownership.may.includes(act)),
    revealed,
    reveal: (seat, round, quote) => setRevealed({ seat, round, quote, time: Date.now() }),
    retry: retry.mutate,
    replace: setReplacing,
    goOn: goOn.mutate,
  }
  return (
    <StageProvider value={stage}>
      <div className="mx-auto max-w-[100rem] px-4 pt-6 sm:px-6 sm:pt-8">
        <div className="space-y-6 pb-10 print:hidden">
          <Question />
          <Tour />
          {latest.book && !readOnly && (
            <p>
              <Link
                to="/letters/$id"
                params={{ id: latest.id }}
                className="text-accent underline underline-offset-2"
              >
                Read it as a book of letters
              </Link>
            </p>
          )}
          {retry.error && <Problem error={retry.error} />}
          {goOn.error && <Problem error={goOn.error} />}
          <Content />
        </div>
        <Announced session={latest} />
        {!running && <Timeline events={events} moment={moment} />}
        <Suspense>{running && <LiveStrip session={latest} />}</Suspense>
        <Suspense>
          <PrintView session={latest} />
          {replacing && <ReplaceDialog seat={replacing} onClose={() => setReplacing(undefined)} />}
        </Suspense>
      </div>
    </StageProvider>
  )
}
