/** One of the two sessions: its verdict, how minds moved, the count, and where every seat ended. */
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { campNumbers, hasCamps } from '../../../core/camps/standings.ts'
import type { SessionEvent } from '../../../core/log/event.ts'
import { shownRound, verdictOf } from '../../../core/verdict/verdict.ts'
import { shortVerdictLine } from '../../../core/wording/verdict-line.ts'
import { sessionPath } from '../../api.ts'
import { LevelBadge } from '../../components/level.tsx'
import { useLiveSession, useLiveState } from '../../live.ts'
import { answerAlone } from '../archive/headline.ts'
import { Flow } from '../session/charts/flow.tsx'
import { TallyTable } from '../session/charts/tally.tsx'
import { type Stage, StageProvider, useStage } from '../session/stage.ts'
import { AfterFork } from './after-fork.tsx'
import { SeatAnswers } from './seat-answers.tsx'

/** Both sides have the same parts, and landmarks need names of their own. */
const SideContext = createContext('')

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={`${title}, ${useContext(SideContext)}`} className="card min-w-0 p-4 sm:p-6">
    <h3 className="label mb-3">{title}</h3>
    {children}
  </section>
)

const Head = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  return (
    <header className="space-y-3">
      <h2 className="said line-clamp-3 text-xl leading-snug font-semibold" dir="auto">
        <Link to="/s/$id" params={{ id: session.id }} className="hover:underline">
          {session.question.text}
        </Link>
      </h2>
      {session.report && (
        <p className="said text-lg leading-snug" dir="auto">
          {answerAlone(session)}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {verdict.level && <LevelBadge level={verdict.level} alone={verdict.of === 1} />}
        <span className="min-w-0 break-words text-soft">{shortVerdictLine(session, verdict)}</span>
      </p>
    </header>
  )
}

const Seats = () => {
  const { session } = useStage()
  return <SeatAnswers round={shownRound(session)} />
}

/** Nothing is done to a session from here. */
const idle = {
  streaming: false,
  calm: false,
  goOn: () => {},
  readOnly: true,
  may: () => false,
  reveal: () => {},
  retry: () => {},
  replace: () => {},
}

interface ColumnProps {
  readonly id: string
  /** "the first session" */
  readonly side: string
  readonly known: readonly SessionEvent[]
  /** The last round that both sessions share. */
  readonly shared?: number
}

export const Column = ({ id, side, known, shared }: ColumnProps) => {
  const live = useLiveSession(`${sessionPath(id)}/events`, known)
  const { session } = useLiveState(live)
  const numbers = useMemo(() => (session ? campNumbers(session) : new Map<string, number>()), [session])
  if (!session) return null
  const stage: Stage = { session, numbers, live, atEnd: true, ...idle }
  return (
    <StageProvider value={stage}>
      <SideContext.Provider value={side}>
        <div className="space-y-5">
          <Head />
          {shared !== undefined && (
            <Part title="From the fork on">
              <AfterFork round={shared} />
            </Part>
          )}
          {session.roundsSoFar.length > 1 && hasCamps(session) && (
            <Part title="Position flow">
              <Flow />
            </Part>
          )}
          {!session.imported && hasCamps(session) && (
            <Part title="Tally, sealed and final">
              <TallyTable />
            </Part>
          )}
          <Part title="Where they ended">
            <Seats />
          </Part>
        </div>
      </SideContext.Provider>
    </StageProvider>
  )
}
