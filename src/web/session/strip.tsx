/** While a session runs: its steps, the clock, who is being waited for, and how long it may still take. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { capitalised, wholeNumber } from '../../core/basics.ts'
import { type Session, seatOf } from '../../core/session.ts'
import { verdictOf } from '../../count/verdict.ts'
import {
  type MeasuredTimes,
  measuredIn,
  progressWords,
  skippable,
  timeLeftWords,
} from '../../words/progress.ts'
import { type Step, stepsOf } from '../../words/stages.ts'
import { fetchStats, useReachable } from '../kit/api.ts'
import { Button } from '../kit/frame.tsx'
import { goOnWords, useSeen, useStage } from './stage.tsx'

// clock: The time, once a second and the same for all clocks of a page, for as long as something waits.

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const never = (): (() => void) => () => {}

/** A clock of its own for each seat would run a second ahead of the session's. */
const read = (): number => {
  if (timer === undefined) now = Date.now()
  return now
}

export const useNow = (running: boolean): number => useSyncExternalStore(running ? subscribe : never, read)

/** 0:07, 12:30, 1:02:30; from two days on, "3 days" */
export const clockText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const days = Math.floor(seconds / 86_400)
  if (days > 1) return `${wholeNumber(days)} days`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const start = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes)
  return `${start}:${String(seconds % 60).padStart(2, '0')}`
}

// notify: Tells a person who looks elsewhere that the verdict is there, if they agreed to it. Nobody is asked unasked.

const canNotify = (): boolean => 'Notification' in window && Notification.permission !== 'denied'

/** Shown once, when a session that was watched is over and its page isn't looked at. */
const useNotice = (session: Session, wanted: boolean): void => {
  const wasRunning = useRef(session.outcome === undefined)
  useEffect(() => {
    if (!session.outcome || !wasRunning.current) return
    wasRunning.current = false
    if (!wanted || !document.hidden || Notification.permission !== 'granted') return
    const notice = new Notification('The verdict is there', {
      body: `${session.question.text.slice(0, 120)}\n${verdictOf(session).line}`,
      tag: session.id,
    })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }, [session, wanted])
}

export const Notify = ({ session }: { session: Session }) => {
  const [wanted, setWanted] = useState(false)
  useNotice(session, wanted)
  if (session.outcome || !canNotify()) return null
  return (
    <Button
      kind="quiet"
      aria-pressed={wanted}
      className="aria-pressed:text-accent"
      onClick={async () => setWanted(!wanted && (await Notification.requestPermission()) === 'granted')}
    >
      {wanted ? 'You will be told' : 'Tell me when it’s done'}
    </Button>
  )
}

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
