/** What only one format draws: numbers as dots, a ranking as a list, a market as lines. */

import { listed, percent } from '../../core/basics.ts'
import { numbersText, numberText } from '../../core/reply.ts'
import { figureOf, median, quartilesOf } from '../../core/rules.ts'
import { answerIn, type Round } from '../../core/session.ts'
import { standingsIn } from '../../count/moves.ts'
import { figureText } from '../../count/tally.ts'
import { shownRound, verdictOf } from '../../count/verdict.ts'
import { campColour } from '../../words/camp-patterns.ts'
import { roundLabel, roundName } from '../../words/moves.ts'
import { movedApart, useWidth } from '../kit/controls.tsx'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

// Numbers as dots, a row for each round: every answer, the median, and where the middle half lies.

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

export function Dots() {
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

// A ranking as an ordered list: the combined order, and the place that each seat gave every option.

/** With more seats, only how many gave each place. */
const mostNamed = 12

export function Places() {
  const { session, numbers } = useStage()
  const { final } = verdictOf(session)
  const round = shownRound(session)
  const { places: order = [], cycles = [] } = final?.ranking ?? {}
  const before = (place: number): number => order.slice(0, place).flat().length
  const standings = standingsIn(session, round, numbers)
  const given = standings.flatMap(({ seat, number }) => {
    const ranking = answerIn(round, seat.id)?.ranking
    return ranking ? [{ seat, number, ranking }] : []
  })
  if (order.length === 0 || given.length === 0) return null
  const placesOf = (option: string) => Map.groupBy(given, ({ ranking }) => ranking.indexOf(option) + 1)
  return (
    <div>
      <p className="label mb-2">Combined order, with the places that seats gave</p>
      <ol aria-label="Combined order" className="divide-y divide-line">
        {order.flatMap((place, index) =>
          place.map(option => {
            const places = placesOf(option)
            return (
              <li key={option} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
                <span className="said w-8 shrink-0 text-2xl leading-none font-semibold tabular-nums">
                  {before(index) + 1}
                </span>
                <span className="said min-w-0 grow basis-40 text-lg leading-snug" dir="auto">
                  {option}
                </span>
                <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm" aria-label={`Places of ${option}`}>
                  {[...places]
                    .toSorted(([one], [other]) => one - other)
                    .map(([place, seats]) => (
                      <li key={place} className="flex items-center gap-1">
                        <span className="text-soft tabular-nums">
                          {place === 0 ? 'no place' : `${place}.`}
                        </span>
                        {given.length <= mostNamed ? (
                          seats.map(({ seat, number }) => (
                            <abbr
                              key={seat.id}
                              title={seat.name}
                              className="grid size-6 place-items-center rounded-full border-2 text-xs font-bold no-underline"
                              style={{
                                borderColor: number === undefined ? 'var(--edge)' : campColour(number),
                              }}
                            >
                              {seat.alias}
                            </abbr>
                          ))
                        ) : (
                          <span className="tabular-nums">{seats.length}×</span>
                        )}
                      </li>
                    ))}
                </ul>
              </li>
            )
          }),
        )}
      </ol>
      {cycles.map(cycle => (
        <p key={cycle.join()} className="mt-2 text-sm text-soft" dir="auto">
          A cycle: {listed(cycle)} beat each other in a circle.
        </p>
      ))}
    </div>
  )
}

// A market as a line for each option: what the table would pay for it, round by round.

const size = { height: 150, top: 22, left: 36, right: 64 }

const gap = '7 7'

export function Prices() {
  const { session, numbers } = useStage()
  const [element, width] = useWidth()
  const rounds = session.roundsSoFar.flatMap(round => {
    const figures = round.digest?.figures
    return figures?.kind === 'prices' ? [{ round, prices: figures.prices }] : []
  })
  const { options } = session.question
  if (rounds.length === 0) return null
  /** In the sealed round all options cost the same. */
  const even = options.map(option => ({ option, price: 1 / options.length }))
  const columns = [
    { label: 'Start', prices: even },
    ...rounds.map(({ round, prices }) => ({ label: roundLabel(round), prices })),
  ]
  const x = (column: number): number =>
    size.left + (column / (columns.length - 1)) * Math.max(60, width - size.left - size.right)
  const y = (price: number): number => size.top + (1 - price) * (size.height - size.top - 8)
  const lines = options.map((option, index) => {
    const prices = columns.map(({ prices }) => prices.find(one => one.option === option)?.price ?? 0)
    const points = prices.map((price, column) => `${x(column)},${y(price)}`).join(' ')
    return { option, number: numbers.get(option) ?? index, prices, points, last: prices.at(-1) ?? 0 }
  })
  const ends = movedApart(
    lines.map(({ option, number, last }) => ({ option, number, last, y: y(last) })),
    17,
    size.height - 6,
  )
  const words = lines
    .map(({ option, prices }) => `${option}: ${prices.map(price => percent(price)).join(', then ')}`)
    .join('. ')
  return (
    <div ref={element}>
      <p className="label mb-1">
        Market estimate by round
        <span className="font-normal"> (how likely each answer is, from what the seats staked on it)</span>
      </p>
      <svg
        width={width}
        height={size.height}
        role="img"
        aria-label={`Market estimate by round. ${words}`}
        className="block"
      >
        {[0, 0.5, 1].map(price => (
          <g key={price}>
            <line x1={size.left} x2={width - size.right} y1={y(price)} y2={y(price)} stroke="var(--line)" />
            <text x="0" y={y(price) + 4} fontSize="12" fill="var(--soft)">
              {percent(price)}
            </text>
          </g>
        ))}
        {columns.map(({ label }, column) => (
          <text
            key={label}
            x={x(column)}
            y="12"
            fontSize="12"
            fill="var(--soft)"
            textAnchor={column === 0 ? 'start' : 'middle'}
          >
            {label}
          </text>
        ))}
        {lines.map(({ option, number, prices, points }, index) => (
          <g key={option}>
            <polyline
              points={points}
              // Of two lines in the same place both are seen.
              strokeDasharray={lines.slice(0, index).some(other => other.points === points) ? gap : undefined}
              fill="none"
              stroke={campColour(number)}
              strokeWidth="2.5"
            />
            {prices.map((price, column) => (
              <circle
                key={columns[column]?.label}
                cx={x(column)}
                cy={y(price)}
                r="4"
                fill={campColour(number)}
              />
            ))}
          </g>
        ))}
        {ends.map(end => (
          <g key={end.option} transform={`translate(${x(columns.length - 1) + 16} ${end.y})`}>
            <circle r="7" fill="var(--surface)" stroke={campColour(end.number)} strokeWidth="2" />
            <text y="3.4" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="var(--ink)">
              {end.number + 1}
            </text>
            <text x="13" y="4" fontSize="12" fontWeight="600" fill="var(--ink)">
              {percent(end.last)}
            </text>
          </g>
        ))}
      </svg>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {lines.map(({ option, number }) => (
          <li key={option} className="flex items-center gap-1.5">
            <CampMark index={number} className="size-4.5" />
            <span className="said" dir="auto">
              {option}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
