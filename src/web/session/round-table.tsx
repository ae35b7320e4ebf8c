/** The table drawn: who sits where, in which camp, what each is doing, and whose words moved whom. */

import { lazy, Suspense, useState } from 'react'
import type { SessionEvent } from '../../core/event.ts'
import { closedRounds } from '../../core/fold.ts'
import { latestRound, roundAt, type Session } from '../../core/session.ts'
import {
  absenceOf,
  areCampsKnown,
  byCamp,
  type CampNumbers,
  type Standing,
  standingsIn,
} from '../../count/moves.ts'
import { compatibleWords, missingParts, roundPhrase, type Tally, tallyOf, tieOf } from '../../count/tally.ts'
import { agreeing, influenceOf, provisionalOf, shownRound, verdictOf } from '../../count/verdict.ts'
import { campColour, campFill } from '../../words/camp-patterns.ts'
import { arrowPath, edgeBefore, levelColour, tableLayout } from '../../words/drawing.ts'
import { roundLabel, wayText } from '../../words/moves.ts'
import { eventWords } from '../../words/story.ts'
import { seatWords } from '../../words/words.ts'
import { Button, CampMark } from '../kit/frame.tsx'
import { useDraft } from '../kit/live.ts'
import { LevelMark } from '../kit/session-parts.tsx'
import { hasBars } from './result.tsx'
import { type Moment, type Speed, speeds, useStage } from './stage.tsx'

// seatBubble: One seat at the drawn table.

interface SeatBubbleProps {
  readonly standing: Standing
  readonly point: { readonly x: number; readonly y: number }
  /** Of the drawing's width, in hundredths. */
  readonly size: number
  readonly named: boolean
}

/** What a screen reader says of the seat, and what the pointer shows. */
const described = (standing: Standing, writing: boolean, session: Session): string => {
  const { seat, camp, number } = standing
  const where = camp ? `camp ${(number ?? 0) + 1}, ${camp.label}` : undefined
  const state = {
    silent: seatWords.silent,
    abstained: seatWords.abstained,
    ungrouped: seatWords.answered,
    asked: writing ? seatWords.writing : seatWords.waiting,
  }
  const absence = absenceOf(standing)
  const moved = wayText(standing, session)
  return [`${seat.alias}, ${seat.name}`, where ?? (absence && state[absence]), moved]
    .filter(Boolean)
    .join(': ')
}

/** A seat that is thinking again still shows where it stood. One that has answered since may stand elsewhere. */
const hollowEdge = ({ before, handedIn }: Standing): { stroke: string; strokeWidth: number } =>
  before === undefined || handedIn
    ? { stroke: 'var(--edge)', strokeWidth: 2 }
    : { stroke: campColour(before), strokeWidth: 3.5 }

const Disc = ({ standing, writing }: { standing: Standing; writing: boolean }) => {
  const absence = absenceOf(standing)
  // One whose last answer is kept has the colour of its camp, and the edge of a silent seat.
  const silent = absence === 'silent' || standing.kept !== undefined
  const hollow = absence !== undefined
  return (
    <svg viewBox="0 0 40 40" className="size-full overflow-visible" aria-hidden="true">
      {writing && (
        <circle
          cx="20"
          cy="20"
          r="21.5"
          fill="none"
          stroke="var(--accent)"
          strokeWidth="2"
          className="breathing"
        />
      )}
      <circle
        cx="20"
        cy="20"
        r="18.5"
        fill={standing.number === undefined ? 'var(--surface)' : campFill(standing.number)}
        {...(hollow ? hollowEdge(standing) : { stroke: 'none' })}
        {...(silent && { stroke: 'var(--bad)', strokeWidth: 2 })}
        strokeDasharray={silent || absence === 'asked' ? '4 3.2' : undefined}
      />
      {!hollow && <circle cx="20" cy="20" r="11.5" fill="var(--surface)" />}
      <text
        x="20"
        y="25"
        textAnchor="middle"
        fontSize={standing.seat.alias.length > 1 ? 11 : 14}
        fontWeight="700"
        fill={silent ? 'var(--bad)' : 'var(--ink)'}
      >
        {standing.seat.alias}
      </text>
    </svg>
  )
}

/** The name of a seat beside the table begins or ends at its edge: the table's own line would run through it. */
const nameSide = ({ x, y }: SeatBubbleProps['point']): string => {
  if (Math.abs(y - 50) > 10) return 'left-1/2 w-[clamp(4.6rem,26cqw,8rem)] -translate-x-1/2 text-center'
  return `w-[21cqw] ${x < 50 ? 'right-0 text-right' : 'left-0'}`
}

export const SeatBubble = ({ standing, point, size, named }: SeatBubbleProps) => {
  const { session, live, atEnd, reveal } = useStage()
  const draft = useDraft(live, standing.seat.id)
  const writing = atEnd && draft !== undefined && !standing.handedIn
  const words = described(standing, writing, session)
  return (
    <li
      className="absolute -translate-x-1/2 -translate-y-1/2"
      style={{ left: `${point.x}%`, top: `${point.y}%`, width: `${size}%` }}
    >
      <button
        type="button"
        title={words}
        onClick={() => reveal(standing.seat.id)}
        className="relative block aspect-square w-full rounded-full transition-transform hover:scale-110"
      >
        <span className="sr-only">{words}</span>
        <Disc standing={standing} writing={writing} />
        {named && standing.number !== undefined && (
          <CampMark index={standing.number} className="absolute -right-1.5 -bottom-1 size-[38%]" />
        )}
        {named && standing.changedIn.length > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-1 -right-1.5 grid size-[38%] place-items-center rounded-full bg-ink text-[.65rem] leading-none text-paper"
          >
            ↷
          </span>
        )}
      </button>
      {named && (
        <span
          aria-hidden="true"
          className={`absolute ${nameSide(point)} ${point.y < 45 ? 'bottom-full mb-1.5' : 'top-full mt-1.5'} text-[clamp(.68rem,2.9cqw,.8rem)] leading-tight line-clamp-2 wrap-anywhere text-soft`}
        >
          {standing.seat.name}
        </span>
      )}
    </li>
  )
}

/** The seats of a large table stand by camp, but while the session runs, none changes its place. */
export const seatedIn = (session: Session, numbers: CampNumbers): Standing[] => {
  const seated = standingsIn(session, shownRound(session), numbers)
  return tableLayout(seated.length).named || !session.outcome ? seated : byCamp(seated)
}

export const RoundTable = () => {
  const { session, numbers } = useStage()
  const standings = seatedIn(session, numbers)
  const layout = tableLayout(standings.length)
  const { size, radius, named } = layout
  const points = new Map(
    standings.map(({ seat }, index) => [seat.id, layout.points[index] ?? { x: 50, y: 50 }]),
  )
  const { level } = verdictOf(session)
  return (
    <figure className="@container relative mx-auto aspect-square w-full max-w-[27rem]" aria-label="The table">
      <svg viewBox="0 0 100 100" className="absolute inset-0 size-full" aria-hidden="true">
        <defs>
          <marker
            id="arrowhead"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="5"
            markerHeight="5"
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8Z" fill="var(--ink)" />
          </marker>
        </defs>
        <circle cx="50" cy="50" r={radius} fill="var(--surface)" stroke="var(--line)" strokeWidth=".5" />
        <circle
          {...{ cx: 50, cy: 50, r: radius - 1, fill: 'none', stroke: 'var(--line)', strokeWidth: 1.1 }}
          opacity=".6"
        />
        {level && !session.imported && (
          <path
            d={edgeBefore(
              agreeing(session).flatMap(seat => points.get(seat) ?? []),
              points.size,
              radius - 1,
            )}
            fill="none"
            strokeWidth="1.1"
            stroke={levelColour(level)}
          />
        )}
        {influenceOf(session).moved.map(({ by: from, seat: to, round: at, verified }) => {
          const [start, end] = [points.get(from), points.get(to)]
          if (!start || !end) return null
          return (
            <path
              key={`${from} ${to} ${at}`}
              d={arrowPath(start, end)}
              fill="none"
              stroke="var(--ink)"
              strokeWidth=".55"
              strokeDasharray={verified ? undefined : '1.2 1.2'}
              opacity={verified ? 0.75 : 0.5}
              markerEnd="url(#arrowhead)"
            />
          )
        })}
      </svg>
      <Centre />
      <ul>
        {standings.map(standing => (
          <SeatBubble
            key={standing.seat.id}
            standing={standing}
            point={points.get(standing.seat.id) ?? { x: 50, y: 50 }}
            size={size}
            named={named}
          />
        ))}
      </ul>
    </figure>
  )
}

const answeredIn = (standings: readonly Standing[]): number =>
  standings.filter(standing => standing.handedIn?.status === 'given').length

/** How many agree in the latest round, once its answers are compared and a camp leads that others could join. */
const agreedSoFar = (session: Session): number | undefined => {
  const soFar = provisionalOf(session)
  if (!soFar || soFar.round !== latestRound(session) || !areCampsKnown(session, soFar.round)) return undefined
  const { leading, agree } = soFar.tally
  return leading !== null && agree > 1 ? agree : undefined
}

/** In the middle of the table: the count once there is one, and how far the round is until then. */
const Centre = () => {
  const { session, numbers } = useStage()
  const round = shownRound(session)
  const { agree, of, level, final } = verdictOf(session)
  const standings = seatedIn(session, numbers)
  // Without a quorum nobody can say that some agree.
  const over = session.outcome !== undefined && level !== null && level !== 'no-quorum'
  // A seat that agrees with no other is not "1 of 3 agree".
  const isSplit = over && agree === 1 && of > 1
  // Nor is "3 of 6 agree" what parts a tie: its sides are.
  const { sides, rest } = tieOf(final ?? { camps: [] })
  const isTie = over && level === 'tie' && !isSplit && !session.imported
  const soFar = agreedSoFar(session)
  const label = session.imported
    ? 'agree, says the transcript'
    : over && of > 1
      ? isTie
        ? rest.length > 0
          ? `tied, ahead of ${rest.join(', ')}`
          : 'a tie'
        : 'agree'
      : session.outcome
        ? 'answered'
        : soFar
          ? 'agree so far'
          : 'have answered'
  return (
    <figcaption className="absolute inset-0 m-auto grid size-[34%] place-content-center text-center">
      {over && level && !session.imported && (
        <span className="mx-auto mb-1" style={{ color: levelColour(level) }}>
          <LevelMark level={level} className="size-[clamp(.9rem,5cqw,1.4rem)]" />
        </span>
      )}
      {!over && round && !session.imported && (
        <span className="text-[clamp(.7rem,3cqw,.85rem)] text-soft">{roundLabel(round)}</span>
      )}
      <span className="said text-[clamp(1.4rem,8cqw,2.4rem)] leading-none font-semibold">
        {isSplit ? 'No two' : isTie ? sides.join(' : ') : over ? agree : (soFar ?? answeredIn(standings))}
        {!isSplit && !isTie && <span className="text-[.55em] font-normal text-soft"> of {of}</span>}
      </span>
      <span className="text-[clamp(.7rem,3cqw,.85rem)] text-soft">{label}</span>
    </figcaption>
  )
}

// legend: The camps of the shown round: number, colour and pattern with the position that they stand for.

const Compatible = ({ words }: { words: string }) =>
  words === '' ? null : <span className="line-clamp-2 text-sm text-soft">{words}</span>

/** While a round is being answered, the camps of the one before stay where they are. */
const talliedLast = (session: Session): Tally | undefined => {
  const last = shownRound(session)?.index ?? -1
  return session.roundsSoFar
    .filter(round => round.index <= last && areCampsKnown(session, round))
    .map(round => tallyOf(session, round))
    .findLast(({ camps }) => camps.length > 0)
}

/** Its counts may be older than those of the provisional verdict, which doesn't wait for the last checks. */
const dateOf = (session: Session, { round }: Tally): string => {
  const counted = session.outcome ? undefined : roundAt(session, round)
  return counted ? `Camps after ${roundPhrase(counted)}` : ''
}

export const Legend = () => {
  const { session, numbers } = useStage()
  const tally = talliedLast(session)
  if (!tally || session.imported || hasBars(session)) return null
  const date = dateOf(session, tally)
  const missing = missingParts(tally, session.outcome !== undefined)
  return (
    <ul className="space-y-2" aria-label="Camps">
      {date && <li className="label">{date}</li>}
      {tally.camps.map(camp => (
        <li key={camp.id} className="flex items-start gap-2.5">
          <CampMark index={numbers.get(camp.id) ?? 0} className="mt-px size-5" />
          <span className="grow leading-snug">
            <span className="said line-clamp-3" dir="auto">
              {camp.label}
            </span>
            <Compatible words={compatibleWords(tally, camp.id)} />
          </span>
          <span className="shrink-0 text-sm text-soft tabular-nums">
            {camp.seats.length}
            {camp.qualified.length > 0 && `, ${camp.qualified.length} with a caveat`}
          </span>
        </li>
      ))}
      {missing.length > 0 && <li className="pl-7.5 text-sm text-soft">{missing.join(', ')}</li>}
    </ul>
  )
}

// timeline: The rounds as a timeline: drag to any moment, or replay it all.

/** Dialogs load when somebody wants one. */
const ForkDialog = lazy(() =>
  import('./fork-dialog.tsx').then(({ ForkDialog: dialog }) => ({ default: dialog })),
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
