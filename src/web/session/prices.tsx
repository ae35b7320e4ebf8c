/** A market as a line for each option: what the table would pay for it, round by round. */
import { percent } from '../../core/basics.ts'
import { campColour } from '../../words/camp-patterns.ts'
import { roundLabel } from '../../words/moves.ts'
import { movedApart, useWidth } from '../kit/controls.tsx'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

const size = { height: 150, top: 22, left: 36, right: 64 }

const gap = '7 7'

export default function Prices() {
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
