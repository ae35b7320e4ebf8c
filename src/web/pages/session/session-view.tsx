/** The page of a session: question, answer, the table, how minds moved, and what every seat said. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { campNumbers, hasCamps } from '../../../core/camps/standings.ts'
import type { SessionEvent } from '../../../core/log/event.ts'
import { canBeRight, kindSaid } from '../../../core/question/kind.ts'
import { kindSentence } from '../../../core/wording/kind-words.ts'
import { models } from '../../../core/wording/numbers.ts'
import { formatNote } from '../../../core/wording/session-title.ts'
import { retrySeat } from '../../api.ts'
import { Problem } from '../../components/notice.tsx'
import { type LiveStatus, useLiveSession, useLiveState } from '../../live.ts'
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
import { useMoment } from './moment.ts'
import { PrintView } from './print-view.tsx'
import { ReportDraft } from './report-draft.tsx'
import { Ledger } from './seats/ledger.tsx'
import { LiveList } from './seats/live-list.tsx'
import { SeatList } from './seats/seat-list.tsx'
import { type Revealed, type Stage, StageProvider, useStage } from './stage.ts'
import { VerdictCard } from './verdict-card.tsx'
import { kindOf } from './wording.ts'

/** Menus and dialogs load after the text. */
const Actions = lazy(() => import('./actions.tsx'))
const KindMenu = lazy(() => import('./kind-menu.tsx'))

const Lost = ({ connection }: { connection: LiveStatus }) =>
  connection === 'lost' && (
    <p role="status" className="rounded-lg border border-line bg-wash px-3 py-2 text-sm">
      The connection is lost. Trying again: nothing will be missed.
    </p>
  )

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

const Question = () => {
  const { session, readOnly } = useStage()
  const { question } = session
  const long = question.text.length > 240
  const note = formatNote(question)
  return (
    <header className="space-y-3">
      <p className="flex flex-wrap gap-x-2 text-sm text-soft">
        <span>{kindOf(session)}</span>·<span>{models(session.seats.length)}</span>·
        <span>protocol {session.protocol}</span>·<CostLine />
      </p>
      <h1
        dir="auto"
        className={`said max-w-4xl whitespace-pre-wrap ${long ? 'text-lg leading-relaxed' : 'text-2xl leading-tight font-semibold sm:text-4xl'}`}
      >
        {question.text}
      </h1>
      {note && <p className="text-soft">{note}</p>}
      <KindOfQuestion />
      {question.attachments.length > 0 && (
        <p className="text-sm wrap-anywhere text-soft">
          Attached: {question.attachments.map(one => one.name).join(', ')}
        </p>
      )}
      {!readOnly && (
        <div className="min-h-9 print:hidden">
          <Suspense>
            <Actions />
          </Suspense>
        </div>
      )}
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
  return (
    <section aria-labelledby="numbers" className="space-y-4">
      <h2 id="numbers" className="said text-2xl font-semibold">
        In numbers
      </h2>
      <div className="grid gap-4 md:grid-cols-2 wide:grid-cols-4">
        {!session.imported && hasCamps(session) && (
          <Section title="Tally, sealed and final">
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

const Content = () => {
  const { session } = useStage()
  return (
    <div className="space-y-12 print:hidden">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)] lg:gap-12">
        <div className="min-w-0 space-y-8">
          {session.report || session.outcome ? (
            <VerdictCard />
          ) : (
            <>
              <ReportDraft />
              <LiveList />
            </>
          )}
        </div>
        <aside className="space-y-5">
          <RoundTable />
          <Legend />
        </aside>
      </div>
      <Movement />
      <TranscriptClaims />
      <Between />
      <section aria-labelledby="answers" className="space-y-4">
        <h2 id="answers" className="said text-2xl font-semibold">
          {session.question.format === 'text' ? 'The texts' : 'What they said'}
        </h2>
        <SeatList />
      </section>
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
  const numbers = useMemo(() => (latest ? campNumbers(latest) : new Map<string, number>()), [latest])
  const { session, atEnd } = moment
  if (!session || !latest) return null
  const stage: Stage = {
    session,
    numbers,
    live,
    atEnd,
    readOnly,
    revealed,
    reveal: (seat, round, quote) => setRevealed({ seat, round, quote, time: Date.now() }),
    retry: retry.mutate,
    replace: setReplacing,
  }
  return (
    <StageProvider value={stage}>
      <div className="mx-auto max-w-[100rem] px-4 pt-6 sm:px-6 sm:pt-10">
        <div className="space-y-8 pb-10 print:hidden">
          <Question />
          <Lost connection={connection} />
          {retry.error && <Problem error={retry.error} />}
          <Content />
        </div>
        <Timeline events={events} moment={moment} running={latest.outcome === undefined} />
        <PrintView session={latest} />
        {replacing && <ReplaceDialog seat={replacing} onClose={() => setReplacing(undefined)} />}
      </div>
    </StageProvider>
  )
}
