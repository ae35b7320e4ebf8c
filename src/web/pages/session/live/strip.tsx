/** While a session runs: its steps, the clock, who is being waited for, and how long it may still take. */
import { useQuery } from '@tanstack/react-query'
import { type Session, seatOf } from '../../../../core/log/state.ts'
import { type Step, stepsOf } from '../../../../core/progress/steps.ts'
import { type MeasuredTimes, measuredIn, skippable } from '../../../../core/progress/time-left.ts'
import { capitalised } from '../../../../core/wording/capital.ts'
import { progressWords, timeLeftWords } from '../../../../core/wording/progress-words.ts'
import { fetchStats } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { useReachable } from '../../../reachable.ts'
import { useSeen, useStage } from '../stage.ts'
import { goOnWords } from '../wording.ts'
import { clockText, useNow } from './clock.ts'
import { Notify } from './notify.tsx'

const marks: Record<Step['state'], string> = {
  done: 'border-accent bg-accent',
  now: 'border-accent bg-surface',
  ahead: 'border-edge bg-surface',
}

const Stepper = ({ steps }: { steps: readonly Step[] }) => (
  <ol aria-label="Steps" className="flex min-w-0 items-center gap-x-1.5 overflow-hidden text-sm">
    {steps.map(({ label, state }, index) => (
      <li
        key={`${index} ${label}`}
        aria-current={state === 'now' ? 'step' : undefined}
        className={`flex items-center gap-x-1.5 ${state === 'now' ? 'shrink-0 font-semibold' : 'min-w-0 text-soft'}`}
      >
        {index > 0 && <span aria-hidden="true" className="hidden h-px w-4 shrink-0 bg-edge xl:block" />}
        <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full border-2 ${marks[state]}`} />
        <span
          className={state === 'now' ? 'whitespace-nowrap' : 'sr-only xl:not-sr-only xl:whitespace-nowrap'}
        >
          {label}
        </span>
      </li>
    ))}
  </ol>
)

/** What one answer of each model took in other sessions; nothing until it is known. A shared page may not ask. */
const useMeasured = (allowed: boolean): MeasuredTimes => {
  const { data } = useQuery({
    queryKey: ['stats'],
    queryFn: fetchStats,
    enabled: allowed,
    staleTime: Infinity,
  })
  return measuredIn(data?.models ?? [])
}

/** If one seat holds up the table, its row may be out of sight. */
const GoOn = ({ session }: { session: Session }) => {
  const { goOn, may } = useStage()
  const [seat, ...others] = skippable(session)
  if (seat === undefined || others.length > 0 || !may('change-session')) return null
  return (
    <Button kind="quiet" className="ml-auto !min-h-7 shrink-0 !py-0 underline" onClick={() => goOn(seat)}>
      <span className="sm:hidden">{goOnWords(seatOf(session, seat))}</span>
      <span className="hidden max-w-64 truncate sm:block">Go on without {seatOf(session, seat).name}</span>
    </Button>
  )
}

export default function LiveStrip({ session: log }: { session: Session }) {
  const { readOnly } = useStage()
  const session = useSeen(log)
  const reachable = useReachable()
  const now = useNow(true)
  const measured = useMeasured(!readOnly)
  const left = timeLeftWords(session, now, measured)
  return (
    <section
      aria-label="Progress"
      className="sticky bottom-0 z-20 -mx-4 border-t border-line bg-paper/95 px-4 py-2 backdrop-blur sm:mx-0 sm:rounded-t-xl sm:border-x print:hidden"
    >
      <div className="flex h-7 items-center gap-3">
        <span className="text-sm font-semibold tabular-nums" title="Since the question was asked">
          {clockText(now - Date.parse(session.openedAt))}
        </span>
        <Stepper steps={stepsOf(session)} />
        <GoOn session={session} />
        <span className="ml-auto hidden sm:block">
          <Notify session={session} />
        </span>
      </div>
      <p className="flex h-16 flex-col gap-x-2 overflow-hidden text-sm sm:h-6 sm:flex-row">
        <span className="line-clamp-2 min-w-0 sm:block sm:truncate" role="status">
          {`${progressWords(session)}.`}
        </span>
        <span className="shrink-0 truncate text-soft">
          {reachable ? left && `${capitalised(left)}.` : 'Waiting for the server.'}
        </span>
      </p>
    </section>
  )
}
