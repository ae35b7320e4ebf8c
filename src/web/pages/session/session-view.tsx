/** The page of a session: question, answer, the table, how minds moved, and what every seat said. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { campNumbers } from '../../../core/camps/standings.ts'
import type { SessionEvent } from '../../../core/log/event.ts'
import type { Session } from '../../../core/log/state.ts'
import { kindSaid } from '../../../core/question/kind.ts'
import { kindSentence } from '../../../core/wording/kind-words.ts'
import { models } from '../../../core/wording/numbers.ts'
import { formatNote } from '../../../core/wording/session-title.ts'
import { retrySeat } from '../../api.ts'
import { Problem } from '../../components/notice.tsx'
import { type LiveStatus, useLiveSession, useLiveState } from '../../live.ts'
import { Announced } from './announced.tsx'
import { CostLine } from './charts/cost.tsx'
import { Legend } from './charts/legend.tsx'
import { RoundTable } from './charts/round-table.tsx'
import { Timeline } from './charts/timeline.tsx'
import { useMoment } from './moment.ts'
import { LiveList } from './seats/live-list.tsx'
import { seatAnchor } from './seats/seat-tools.tsx'
import { type Revealed, type Stage, StageProvider, useStage } from './stage.ts'
import { VerdictCard } from './verdict-card.tsx'
import { kindOf } from './wording.ts'

/** Menus, dialogs, and all that is below the verdict and the table load after these. */
const Below = lazy(() => import('./below.tsx'))
const PrintView = lazy(() => import('./print-view.tsx'))
const ReplaceDialog = lazy(() => import('./dialogs/replace-dialog.tsx'))
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

const Content = () => {
  const { session } = useStage()
  return (
    <div className="space-y-12 print:hidden">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)] lg:gap-12">
        <div className="min-w-0 space-y-8">
          {session.report || session.outcome ? <VerdictCard /> : <LiveList />}
        </div>
        <aside className="space-y-5">
          <RoundTable />
          <Legend />
        </aside>
      </div>
      <Suspense fallback={<div className="min-h-screen" />}>
        <Below />
      </Suspense>
    </div>
  )
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
}

export const SessionView = ({ stream, known, readOnly = false }: SessionViewProps) => {
  const live = useLiveSession(stream, known)
  const { events, session: latest, connection } = useLiveState(live)
  const moment = useMoment(events, latest)
  const [revealed, setRevealed] = useState(() => linkedSeat(latest))
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
      <div className="mx-auto max-w-[100rem] px-4 pt-6 sm:px-6 sm:pt-8">
        <div className="space-y-6 pb-10 print:hidden">
          <Question />
          <Lost connection={connection} />
          {retry.error && <Problem error={retry.error} />}
          <Content />
        </div>
        <Announced session={latest} />
        <Timeline events={events} moment={moment} running={latest.outcome === undefined} />
        <Suspense>
          <PrintView session={latest} />
          {replacing && <ReplaceDialog seat={replacing} onClose={() => setReplacing(undefined)} />}
        </Suspense>
      </div>
    </StageProvider>
  )
}
