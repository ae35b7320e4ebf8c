/** The page of a session: question, answer, the table, how minds moved, and what every seat said. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { campNumbers, hasCamps } from '../../../core/camps/standings.ts'
import type { SessionEvent } from '../../../core/log/event.ts'
import { usageOf } from '../../../core/log/usage.ts'
import { canBeRight, kindSaid } from '../../../core/question/kind.ts'
import { kindSentence } from '../../../core/wording/kind-words.ts'
import { models } from '../../../core/wording/numbers.ts'
import { formatNote } from '../../../core/wording/session-title.ts'
import { goOnWithout, retrySeat } from '../../api.ts'
import { Problem } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { useLiveSession, useLiveState } from '../../live.ts'
import { Announced } from './announced.tsx'
import { Between } from './between/between.tsx'
import { TranscriptClaims } from './between/transcript-claims.tsx'
import { Confidence } from './charts/confidence.tsx'
import { CostLine, CostTable } from './charts/cost.tsx'
import { Flow } from './charts/flow.tsx'
import { Influence } from './charts/influence.tsx'
import { Legend } from './charts/legend.tsx'
import { RoundTable } from './charts/round-table.tsx'
import { TallyTable } from './charts/tally.tsx'
import { Timeline } from './charts/timeline.tsx'
import { ReplaceDialog } from './dialogs/replace-dialog.tsx'
import { ProvisionalVerdict } from './live/provisional.tsx'
import { LiveStrip } from './live/strip.tsx'
import { useMoment } from './moment.ts'
import { PrintView } from './print-view.tsx'
import { hasBars } from './result/result.tsx'
import { Ledger } from './seats/ledger.tsx'
import { LiveList } from './seats/live-list.tsx'
import { SeatList } from './seats/seat-list.tsx'
import { type Revealed, type Stage, StageProvider, useStage } from './stage.ts'
import { VerdictCard } from './verdict-card.tsx'
import { kindOf } from './wording.ts'

/** Menus and dialogs load after the text. */
const Actions = lazy(() => import('./actions.tsx'))
const KindMenu = lazy(() => import('./kind-menu.tsx'))

/** What kind of question it is, who says so, and a menu to correct it. */
const KindOfQuestion = () => {
  const { session, readOnly } = useStage()
  const said = kindSaid(session)
  if (!said && (readOnly || session.imported)) return null
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 text-sm text-soft print:hidden">
      {said && <span>{kindSentence(said.kind, said.by)}</span>}
      {!readOnly && (
        <Suspense>
          <KindMenu />
        </Suspense>
      )}
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
  const { session, readOnly } = useStage()
  const { question } = session
  const note = formatNote(question)
  return (
    <header className="space-y-3">
      <p className="flex min-h-10 flex-wrap content-start gap-x-2 text-sm text-soft sm:min-h-0">
        <span>{kindOf(session)}</span>·<span>{models(session.seats.length)}</span>·
        <span>protocol {session.protocol}</span>·<CostLine />
      </p>
      <h1 dir="auto" className={`said max-w-4xl whitespace-pre-wrap ${questionSize(question.text)}`}>
        {question.text}
      </h1>
      {note && <p className="text-soft">{note}</p>}
      {question.attachments.length > 0 && (
        <p className="text-sm wrap-anywhere text-soft">
          Attached: {question.attachments.map(one => one.name).join(', ')}
        </p>
      )}
      <div className="flex min-h-9 flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
        {!readOnly && (
          <Suspense>
            <Actions />
          </Suspense>
        )}
        <KindOfQuestion />
      </div>
    </header>
  )
}

const Section = ({
  title,
  children,
  className = '',
}: {
  title: string
  children: React.ReactNode
  className?: string
}) => (
  <section aria-label={title} className={`card min-w-0 p-4 sm:p-6 ${className}`}>
    <h3 className="label mb-4">{title}</h3>
    {children}
  </section>
)

/** How minds moved: shown once there is more than one round to compare. */
const Movement = () => {
  const { session } = useStage()
  if (session.roundsSoFar.length < 2 || session.question.format === 'text') return null
  return (
    <section aria-labelledby="movement" className="space-y-4">
      <h2 id="movement" className="said text-2xl font-semibold">
        How minds moved
      </h2>
      <div className="grid gap-4 lg:grid-cols-5">
        <Section title="Position flow" className="lg:col-span-3">
          <Flow />
        </Section>
        <Section title="Changes of mind" className="lg:col-span-2">
          <Ledger />
        </Section>
      </div>
    </section>
  )
}

const Numbers = () => {
  const { session } = useStage()
  // A transcript has no figures of its own.
  if (session.imported && usageOf(session).outputTokens === 0) return null
  return (
    <section aria-labelledby="numbers" className="space-y-4">
      <h2 id="numbers" className="said text-2xl font-semibold">
        In numbers
      </h2>
      <div className="grid gap-4 md:grid-cols-2 wide:grid-cols-4">
        {!session.imported && hasCamps(session) && !hasBars(session) && (
          <Section title="Tally, sealed → last">
            <TallyTable />
          </Section>
        )}
        {session.question.format !== 'text' && (
          <Section title="Who moved whom">
            <Influence />
          </Section>
        )}
        {canBeRight(session) && (
          <Section title="Confidence by round">
            <Confidence />
          </Section>
        )}
        <Section title="Tokens and cost">
          <CostTable />
        </Section>
      </div>
    </section>
  )
}

const Answers = () => {
  const { session } = useStage()
  return (
    <section aria-labelledby="answers" className="space-y-4">
      <h2 id="answers" className="said text-2xl font-semibold">
        {session.question.format === 'text' ? 'The texts' : 'What they said'}
      </h2>
      <SeatList />
    </section>
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
      className={`grid content-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)] lg:gap-12 ${calm ? 'min-h-[calc(100svh-20rem)]' : ''}`}
    >
      <div ref={left} style={{ minHeight: kept }} className="min-w-0 space-y-8">
        {over ? (
          <VerdictCard />
        ) : (
          <>
            <ProvisionalVerdict />
            <LiveList />
          </>
        )}
      </div>
      <aside className="space-y-5">
        <RoundTable />
        <Legend />
      </aside>
    </div>
  )
}

const Content = () => {
  const { session, calm } = useStage()
  if (calm)
    // What comes later stands below, so that it moves nothing that is being read.
    return (
      <div className="space-y-12 print:hidden">
        <Top />
        <Answers />
        <Between />
        {session.outcome && (
          <>
            <Movement />
            <Numbers />
          </>
        )}
      </div>
    )
  return (
    <div className="space-y-12 print:hidden">
      <Top />
      <Movement />
      <TranscriptClaims />
      <Between />
      <Answers />
      <Numbers />
    </div>
  )
}

interface SessionViewProps {
  /** The address of the session's stream. */
  readonly stream: string
  readonly known: readonly SessionEvent[]
  readonly readOnly?: boolean
}

export const SessionView = ({ stream, known, readOnly = false }: SessionViewProps) => {
  const live = useLiveSession(stream, known)
  const { events, session: latest, connection } = useLiveState(live)
  const moment = useMoment(events, latest)
  const [revealed, setRevealed] = useState<Revealed>()
  const [replacing, setReplacing] = useState<string>()
  const retry = useMutation({
    mutationFn: (seat: string) => retrySeat(latest?.id ?? '', seat),
    onSuccess: () => live.watch(),
  })
  const goOn = useMutation({ mutationFn: (seat: string) => goOnWithout(latest?.id ?? '', seat) })
  const [calm] = useState(latest !== undefined && latest.outcome === undefined)
  const running = latest !== undefined && latest.outcome === undefined
  useTitle(latest && (calm && !running ? `✓ Verdict: ${latest.question.text}` : latest.question.text))
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
          {retry.error && <Problem error={retry.error} />}
          {goOn.error && <Problem error={goOn.error} />}
          <Content />
        </div>
        <Announced session={latest} />
        {running ? <LiveStrip session={latest} /> : <Timeline events={events} moment={moment} />}
        <PrintView session={latest} />
        {replacing && <ReplaceDialog seat={replacing} onClose={() => setReplacing(undefined)} />}
      </div>
    </StageProvider>
  )
}
