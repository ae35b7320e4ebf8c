/** Numbers as dots, a row for each round: every answer, the median, and where the middle half lies. */
import { numbersText, numberText } from '../../core/reply.ts'
import { figureOf, median, quartilesOf } from '../../core/rules.ts'
import { answerIn, type Round } from '../../core/session.ts'
import { standingsIn } from '../../count/moves.ts'
import { figureText } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { campColour } from '../../words/camp-patterns.ts'
import { roundLabel, roundName } from '../../words/moves.ts'
import { useWidth } from '../kit/controls.tsx'
import { useStage } from './stage.tsx'

interface Dot {
  readonly seat: string
  readonly alias: string
  readonly value: number
  readonly number: number | undefined
}

interface Row {
  readonly round: Round
  readonly dots: readonly Dot[]
  readonly words: string
}

/** A dot with its edge: closer ones would cover each other. */
const dotSize = 18.5
/** More would be a tower. */
const highestPile = 4
const inset = { left: 68, right: 14 }

/** Where a value lies between the smallest and the largest of all rounds, from 0 to 1. */
const scaleFor = (values: readonly number[], log: boolean): ((value: number) => number) => {
  const at = log && values.every(value => value > 0) ? Math.log : (value: number) => value
  const [low, high] = [at(Math.min(...values)), at(Math.max(...values))]
  return value => (high === low ? 0.5 : (at(value) - low) / (high - low))
}

/** Dots that would cover each other are piled up. */
const stacked = (dots: readonly Dot[], x: (value: number) => number): (Dot & { x: number; y: number })[] => {
  const placed: (Dot & { x: number; y: number })[] = []
  for (const dot of [...dots].sort((one, other) => one.value - other.value)) {
    const at = x(dot.value)
    const taken = new Set(placed.filter(other => Math.abs(other.x - at) < dotSize).map(({ y }) => y))
    const level = Array.from({ length: highestPile }, (_, place) => -place * dotSize).find(y => !taken.has(y))
    placed.push({ ...dot, x: at, y: level ?? -highestPile * dotSize })
  }
  return placed
}

const useRows = (): Row[] => {
  const { session, numbers } = useStage()
  const { unit, scale } = session.question
  const last = verdictOf(session).final?.round ?? 0
  return session.roundsSoFar
    .filter(({ index }) => index <= last)
    .map(round => {
      const dots = standingsIn(session, round, numbers).flatMap(({ seat, number }): Dot[] => {
        const value = answerIn(round, seat.id)?.number
        return value === undefined ? [] : [{ seat: seat.id, alias: seat.alias, value, number }]
      })
      const values = dots.map(({ value }) => value)
      const figure = figureOf(values, scale)
      const range = numbersText(Math.min(...values), Math.max(...values), unit)
      const words = figure
        ? `${roundName(round)}: median ${figureText(figure, unit)}${figure.range === 'all' ? '' : `; all answers ${range}`}`
        : ''
      return { round, dots, words }
    })
    .filter(({ dots }) => dots.length > 0)
}

export default function Dots() {
  const { session } = useStage()
  const [element, width] = useWidth()
  const { scale, unit } = session.question
  const rows = useRows()
  const values = rows.flatMap(({ dots }) => dots.map(({ value }) => value))
  if (rows.length === 0) return null
  const share = scaleFor(values, scale === 'log')
  const x = (value: number): number =>
    inset.left + share(value) * Math.max(60, width - inset.left - inset.right)
  const piles = rows.map(({ dots }) => stacked(dots, x))
  const highest = Math.max(dotSize, ...piles.flat().map(({ y }) => -y))
  const rowHeight = highest + 32
  const bottom = rows.length * rowHeight + 4
  return (
    <div ref={element}>
      <p className="label mb-1">
        Every answer, by round
        <span className="font-normal">
          {' '}
          (line: median; grey: the middle half{scale === 'log' && '; log scale'})
        </span>
      </p>
      <svg
        width={width}
        height={bottom + 18}
        role="img"
        aria-label={rows.map(({ words }) => words).join('. ')}
        className="block overflow-visible"
      >
        {rows.map(({ round, dots }, index) => {
          const y = (index + 1) * rowHeight - 14
          const own = dots.map(({ value }) => value)
          const quartiles = quartilesOf(own, scale)
          const middle = median(own, scale) ?? 0
          return (
            <g key={round.index}>
              <text x="0" y={y + 4} fontSize="12" fill="var(--soft)">
                {roundLabel(round)}
              </text>
              <line
                x1={inset.left}
                x2={Math.max(width - inset.right, inset.left + 60)}
                y1={y}
                y2={y}
                stroke="var(--line)"
              />
              {quartiles && (
                <rect
                  x={x(quartiles.low) - 8}
                  y={y - 10}
                  width={x(quartiles.high) - x(quartiles.low) + 16}
                  height="20"
                  rx="10"
                  fill="var(--shade)"
                />
              )}
              <line
                x1={x(middle)}
                x2={x(middle)}
                y1={y - highest - 12}
                y2={y + 13}
                stroke="var(--ink)"
                strokeWidth="2"
              />
              {piles[index]?.map(dot => (
                <g key={dot.seat} transform={`translate(${dot.x} ${y + dot.y})`}>
                  <circle
                    r="7.5"
                    fill="var(--surface)"
                    stroke={dot.number === undefined ? 'var(--edge)' : campColour(dot.number)}
                    strokeWidth="2.5"
                  />
                  {dots.length <= 12 && (
                    <text y="3.6" fontSize="9.5" fontWeight="700" textAnchor="middle" fill="var(--ink)">
                      {dot.alias}
                    </text>
                  )}
                </g>
              ))}
            </g>
          )
        })}
        <text x={inset.left - 7} y={bottom + 14} fontSize="12" fill="var(--soft)">
          {numberText(Math.min(...values), unit)}
        </text>
        <text x={width - 4} y={bottom + 14} fontSize="12" fill="var(--soft)" textAnchor="end">
          {numberText(Math.max(...values), unit)}
        </text>
      </svg>
      <ul className="mt-2 space-y-0.5 text-sm text-soft" aria-hidden="true">
        {rows.map(({ round, words }) => (
          <li key={round.index}>{words}</li>
        ))}
      </ul>
    </div>
  )
}
