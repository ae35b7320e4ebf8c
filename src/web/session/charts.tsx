/** How sure each seat was, round by round. */

import { dollars, percent, spentCost, wholeNumber } from '../../core/basics.ts'
import { moderatorUsageOf, type UsageSum, usageBySeat, usageOf } from '../../core/fold.ts'
import { answerIn, type Session, seatOf } from '../../core/session.ts'
import { type CampNumbers, standingsIn } from '../../count/moves.ts'
import { type Concession, influenceOf, type Moved } from '../../count/verdict.ts'
import { campColour } from '../../words/camp-patterns.ts'
import {
  grantedTitle,
  grantedWords,
  influenceHeads,
  persuasive,
  roundLabel,
  wonOver,
} from '../../words/moves.ts'
import { searchWords } from '../../words/words.ts'
import { Bar, movedApart, useWidth } from '../kit/controls.tsx'
import { useStage } from './stage.tsx'

const height = 190
const inset = { top: 24, bottom: 8, left: 44, right: 25 }
/** So wide is a letter at the end of a line. */
const letter = 9

/** With more seats, letters would cover the lines. */
const mostLettered = 12

interface Dot {
  readonly x: number
  readonly y: number
  readonly number: number | undefined
}

interface Line {
  readonly seat: string
  readonly alias: string
  readonly dots: readonly Dot[]
}

/** Most seats are rather sure: the lower half is drawn only if somebody is in it. */
const floorOf = (session: Session): number => {
  const values = session.roundsSoFar.flatMap(round =>
    session.seats.map(seat => answerIn(round, seat.id)?.confidence ?? 1),
  )
  return Math.min(...values) < 0.5 ? 0 : 0.5
}

const yOf = (confidence: number, floor: number): number =>
  inset.top + ((1 - confidence) / (1 - floor)) * (height - inset.top - inset.bottom)

/** How far apart rounds are drawn, with room for the letters of all seats that are equally sure at the end. */
const stepOf = ({ roundsSoFar, seats }: Session, width: number): number => {
  const ends = seats.map(({ id }) => answerIn(roundsSoFar.at(-1), id)?.confidence)
  const most = Math.max(...ends.map(end => ends.filter(other => other === end).length))
  const room = width - inset.left - inset.right - (seats.length <= mostLettered ? most * letter : 0)
  return roundsSoFar.length > 1 ? room / (roundsSoFar.length - 1) : 0
}

const linesOf = (session: Session, numbers: CampNumbers, width: number): Line[] => {
  const floor = floorOf(session)
  const rounds = session.roundsSoFar
  const step = stepOf(session, width)
  const standings = rounds.map(round => standingsIn(session, round, numbers))
  return session.seats.map((seat, index) => ({
    seat: seat.id,
    alias: seat.alias,
    dots: rounds.flatMap((round, column) => {
      const confidence = answerIn(round, seat.id)?.confidence
      if (confidence === null || confidence === undefined) return []
      return [
        {
          x: inset.left + column * step,
          y: yOf(confidence, floor),
          number: standings[column]?.[index]?.number,
        },
      ]
    }),
  }))
}

/** Rounds in which somebody said how sure it is. One alone is no line: the cards have its figures. */
export const confidentRounds = ({ roundsSoFar, seats }: Session): number =>
  roundsSoFar.filter(round => seats.some(({ id }) => answerIn(round, id)?.confidence != null)).length

/** Letters at the end of their lines: in one word if lines end at the same place, and moved apart if they end close by. */
const labelled = (lines: readonly Line[]): { alias: string; x: number; y: number }[] => {
  const ends = new Map<string, { alias: string; x: number; y: number }>()
  for (const { alias, dots } of lines) {
    const end = dots.at(-1)
    if (!end) continue
    const place = `${end.x} ${end.y}`
    ends.set(place, { x: end.x, y: end.y, alias: `${ends.get(place)?.alias ?? ''}${alias}` })
  }
  return movedApart([...ends.values()], 12)
}

const wordsOf = (session: Session): string =>
  session.seats
    .map(seat => {
      const values = session.roundsSoFar.map(round => answerIn(round, seat.id)?.confidence)
      return `${seat.name}: ${values.map(value => (value == null ? 'none' : percent(value))).join(', then ')}`
    })
    .join('. ')

export const Confidence = () => {
  const { session, numbers } = useStage()
  const [element, width] = useWidth()
  const floor = floorOf(session)
  const step = stepOf(session, Math.max(width, 160))
  const lines = linesOf(session, numbers, Math.max(width, 160))
  if (lines.every(line => line.dots.length === 0))
    return <p className="text-soft">No seat has given its confidence.</p>
  return (
    <div ref={element}>
      <svg
        width={width}
        height={height + 10}
        role="img"
        aria-label={`Confidence by round. ${wordsOf(session)}`}
      >
        {[floor, (1 + floor) / 2, 1].map(value => (
          <g key={value}>
            <line
              x1={inset.left}
              x2={width}
              y1={yOf(value, floor)}
              y2={yOf(value, floor)}
              stroke="var(--line)"
            />
            <text x="0" y={yOf(value, floor) + 4} fontSize="12" fill="var(--soft)">
              {percent(value)}
            </text>
          </g>
        ))}
        {session.roundsSoFar.map((round, column) => (
          <text
            key={round.index}
            x={inset.left + column * step}
            y="12"
            fontSize="12"
            fill="var(--soft)"
            textAnchor={column === 0 ? 'start' : 'middle'}
          >
            {roundLabel(round)}
          </text>
        ))}
        {lines.map(({ seat, dots }) => (
          <g key={seat}>
            <polyline
              points={dots.map(({ x, y }) => `${x},${y}`).join(' ')}
              fill="none"
              stroke={
                dots.at(-1)?.number === undefined ? 'var(--edge)' : campColour(dots.at(-1)?.number ?? 0)
              }
              strokeWidth="2"
            />
            {dots.map(({ x, y, number }) => (
              <circle
                key={x}
                cx={x}
                cy={y}
                r="4"
                fill={number === undefined ? 'var(--edge)' : campColour(number)}
                stroke="var(--surface)"
                strokeWidth="1.5"
              />
            ))}
          </g>
        ))}
        {lines.length <= mostLettered &&
          labelled(lines).map(({ alias, x, y }) => (
            <text
              key={alias}
              {...{ x: x + 9, y: y + 4, fontSize: 12, fontWeight: 700, fill: 'var(--ink)' }}
              letterSpacing=".08em"
            >
              {alias}
            </text>
          ))}
      </svg>
    </div>
  )
}

// cost: What the session has cost so far, by seat, against its budget.

const Row = ({ label, usage, strong }: { label: string; usage: UsageSum; strong?: boolean }) => (
  <tr className={`border-t border-line ${strong ? 'font-semibold' : ''}`}>
    <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
      {label}
    </th>
    <td className="py-1.5 pr-3 text-right tabular-nums">
      {wholeNumber(usage.inputTokens)}
      {usage.cachedTokens > 0 && (
        <span className="block text-xs font-normal text-soft">{wholeNumber(usage.cachedTokens)} cached</span>
      )}
    </td>
    <td className="py-1.5 pr-3 text-right tabular-nums">{wholeNumber(usage.outputTokens)}</td>
    <td className="py-1.5 text-right tabular-nums">
      {spentCost(usage)}
      {searchWords(usage)}
    </td>
  </tr>
)

export const CostTable = () => {
  const { session } = useStage()
  const bySeat = usageBySeat(session)
  const whole = usageOf(session)
  const cap = session.budget?.usd
  return (
    <>
      {cap !== undefined && whole.costUsd !== null && (
        <p className="mb-3 flex items-center gap-3 text-sm">
          <Bar share={whole.costUsd / cap} className="w-32" />
          {dollars(whole.costUsd)} of {dollars(cap)}
        </p>
      )}
      <table className="w-full text-sm">
        <thead>
          <tr className="text-right text-soft">
            <th className="w-1/2 pb-1.5 text-left font-medium">Seat</th>
            <th className="pr-3 pb-1.5 font-medium">In</th>
            <th className="pr-3 pb-1.5 font-medium">Out</th>
            <th className="pb-1.5 font-medium">Cost</th>
          </tr>
        </thead>
        <tbody>
          {session.seats.map(seat => {
            const usage = bySeat[seat.id]
            return usage && <Row key={seat.id} label={seat.name} usage={usage} />
          })}
          <Row label="Moderator" usage={moderatorUsageOf(session)} />
          <Row label="Total" usage={whole} strong />
        </tbody>
      </table>
    </>
  )
}

// influence: Who moved whom: the arrows of the drawn table in words, and how many each seat won over.

const Movers = ({ moved }: { moved: readonly Moved[] }) => {
  const { session } = useStage()
  const movers = [...Map.groupBy(moved, one => one.by)]
  if (movers.length === 0)
    return <p className="text-soft">No change of mind can be traced to another seat’s words.</p>
  return (
    <ul className="space-y-2">
      {movers.map(([mover, own]) => (
        <li key={mover} className="wrap-anywhere">
          <span className="font-semibold">{seatOf(session, mover).name}</span>
          <span className="text-soft"> moved </span>
          {own.map(one => seatOf(session, one.seat).name).join(', ')}
        </li>
      ))}
    </ul>
  )
}

const Granted = ({ granted }: { granted: readonly Concession[] }) => {
  const { session } = useStage()
  const name = (seat: string): string => seatOf(session, seat).name
  return (
    <div className="mt-4">
      <p className="label mb-1">{grantedTitle}</p>
      <ul className="space-y-1 text-sm">
        {granted.map(({ seat, by, round, quote }) => (
          <li key={`${seat} ${round}`} className="wrap-anywhere">
            {grantedWords(name(seat), name(by))} <q className="said text-soft">{quote}</q>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** With more rows it stops being an overview. */
const mostShown = 8

/** Texts take no sides, and at a table where nobody moved there is nothing to show. */
export const hasInfluence = (session: Session): boolean => {
  const { moved, granted, pull } = influenceOf(session)
  return moved.some(({ verified }) => verified) || granted.length > 0 || persuasive(pull).length > 0
}

export const Influence = () => {
  const { session } = useStage()
  const { moved, granted, pull } = influenceOf(session)
  const pulling = persuasive(pull).slice(0, mostShown)
  return (
    <>
      <Movers moved={moved.filter(one => one.verified)} />
      {granted.length > 0 && <Granted granted={granted.slice(0, mostShown)} />}
      {pulling.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="text-soft">{influenceHeads[1]} (no proof that it was the reason)</summary>
          <table className="mt-2 w-full">
            <tbody>
              {pulling.map(one => (
                <tr key={one.seat} className="border-t border-line">
                  <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
                    {seatOf(session, one.seat).name}
                  </th>
                  <td className="w-28 py-1.5 text-right tabular-nums">{wonOver(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}
