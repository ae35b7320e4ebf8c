/** How sure each seat was, round by round. */

import { type CampNumbers, standingsIn } from '../../../../core/camps/standings.ts'
import { answerIn, type Session } from '../../../../core/log/state.ts'
import { percent } from '../../../../core/wording/numbers.ts'
import { roundLabel } from '../../../../core/wording/round-names.ts'
import { campColour } from '../../../components/camp.tsx'
import { movedApart } from '../../../components/moved-apart.ts'
import { useWidth } from '../../../components/width.ts'
import { useStage } from '../stage.ts'

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
