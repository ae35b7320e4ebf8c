/** The rounds as a timeline: drag to any moment, or replay it all. */
import { lazy, Suspense, useState } from 'react'
import type { SessionEvent } from '../../../../core/log/event.ts'
import { closedRounds } from '../../../../core/log/shared-log.ts'
import type { Session } from '../../../../core/log/state.ts'
import { eventWords } from '../../../../core/wording/event-words.ts'
import { roundLabel } from '../../../../core/wording/round-names.ts'
import { Button } from '../../../components/button.tsx'
import { type Moment, type Speed, speeds } from '../moment.ts'
import { useStage } from '../stage.ts'

/** Dialogs load when somebody wants one. */
const ForkDialog = lazy(() =>
  import('../dialogs/fork-dialog.tsx').then(({ ForkDialog: dialog }) => ({ default: dialog })),
)

interface TimelineProps {
  readonly events: readonly SessionEvent[]
  readonly moment: Moment
}

interface Stretch {
  readonly label: string
  /** For a narrow screen. */
  readonly short: string
  readonly from: number
  readonly to: number
}

/** A seat that the log names and the session doesn't have is called by its id. */
const nameIn = (session: Session, id: string): string =>
  session.seats.find(seat => seat.id === id)?.name ?? id

/** Rounds and the report as parts of the line. */
const stretchesOf = (events: readonly SessionEvent[]): Stretch[] => {
  const starts = events.flatMap((event): Omit<Stretch, 'to'>[] => {
    if (event.type === 'round-opened') {
      const label = roundLabel({ index: event.round, sealed: event.sealed })
      return [{ label, short: event.sealed ? label : `R${event.round}`, from: event.position }]
    }
    return event.type === 'report-written' ? [{ label: 'Report', short: '', from: event.position }] : []
  })
  return starts.map((start, index) => ({ ...start, to: starts[index + 1]?.from ?? events.length }))
}

const Stretches = ({ events, moment }: Pick<TimelineProps, 'events' | 'moment'>) => {
  const share = (position: number): string => `${(position / Math.max(1, events.length)) * 100}%`
  return (
    <div className="relative h-5 text-xs" aria-hidden="true">
      {stretchesOf(events).map(({ label, short, from, to }) => (
        <span
          key={from}
          className={`absolute inset-y-0 flex flex-wrap overflow-hidden border-l border-edge whitespace-nowrap ${
            moment.count > from && moment.count <= to ? 'font-semibold text-ink' : 'text-soft'
          }`}
          style={{ left: share(from), width: `calc(${share(to)} - ${share(from)})` }}
        >
          {/* A label that doesn't fit wraps out of sight, rather than being cut. */}
          <span className="h-5 w-1.5" />
          <span className="hidden sm:inline">{label}</span>
          <span className="sm:hidden">{short}</span>
        </span>
      ))}
    </div>
  )
}

export const Timeline = ({ events, moment }: TimelineProps) => {
  const { session, may } = useStage()
  const [forking, setForking] = useState(false)
  const last = events[moment.count - 1]
  const words = last ? eventWords(last, seat => nameIn(session, seat)) : ''
  return (
    <section
      aria-label="Timeline"
      className="sticky bottom-0 z-20 -mx-4 border-t border-line bg-paper/95 px-4 py-2 backdrop-blur sm:mx-0 sm:rounded-t-xl sm:border-x print:hidden"
    >
      <div className="flex items-center gap-2 sm:gap-3">
        <Button
          kind="plain"
          className="size-10 !p-0"
          aria-label={moment.playing ? 'Pause the replay' : 'Replay'}
          onClick={moment.playing ? moment.pause : moment.play}
        >
          <svg viewBox="0 0 20 20" className="size-4" fill="currentColor" aria-hidden="true">
            <path d={moment.playing ? 'M5 3h4v14H5Z M11 3h4v14h-4Z' : 'M5 2.5v15l12-7.5Z'} />
          </svg>
        </Button>
        <label className="sr-only" htmlFor="speed">
          Speed of the replay
        </label>
        <select
          id="speed"
          value={moment.speed}
          onChange={change => moment.setSpeed(Number(change.target.value) as Speed)}
          className="h-10 rounded-lg border border-line bg-surface px-1.5 text-sm"
        >
          {speeds.map(speed => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
        <div className="min-w-0 grow">
          <Stretches events={events} moment={moment} />
          <input
            type="range"
            min={1}
            max={Math.max(1, events.length)}
            value={moment.count}
            onChange={change => moment.seek(Number(change.target.value))}
            aria-label="Moment of the session"
            aria-valuetext={words}
            className="block h-5 w-full accent-accent"
          />
        </div>
        <p className="hidden w-52 truncate text-sm text-soft md:block" title={words}>
          {words}
        </p>
        {may('fork-session') && !session.imported && closedRounds(session).length > 0 && (
          <Button
            kind="plain"
            className="max-sm:size-10 max-sm:!p-0"
            aria-label="Fork at this moment"
            onClick={() => setForking(true)}
          >
            <svg
              viewBox="0 0 20 20"
              className="size-4"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.75"
              aria-hidden="true"
            >
              <path d="M3 15h14 M5 15c5 0 4-9 10-9 M12.5 3.5 15.5 6l-3 2.5" />
            </svg>
            <span className="hidden sm:inline">Fork</span>
          </Button>
        )}
        {!moment.atEnd && (
          <Button kind="primary" onClick={() => moment.seek(events.length)}>
            End
          </Button>
        )}
      </div>
      <Suspense>{forking && <ForkDialog onClose={() => setForking(false)} />}</Suspense>
    </section>
  )
}
