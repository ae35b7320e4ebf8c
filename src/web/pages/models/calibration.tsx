/** Whether confidence means what it says: the diagonal is perfect, below it is overconfident. */
import { percent } from '../../../core/wording/numbers.ts'
import type { ModelStats } from './record.ts'

/** What the drawing means. */
export const calibrationHint =
  'On the dashed line, confidence matches how often it is right. Below it, the model is too sure.'

const side = 240
const margin = 34
const at = (value: number): number => value * side

const words = ({ name, calibration }: ModelStats): string =>
  `Calibration of ${name}. ${calibration
    .map(
      ({ said, right, count }) =>
        `Of ${count} answers given with ${percent(said)} confidence, ${percent(right)} were right`,
    )
    .join('. ')}`

export const Calibration = ({ record }: { record: ModelStats }) => {
  const points = record.calibration.map(({ said, right }) => `${at(said)},${side - at(right)}`)
  return (
    <svg
      viewBox={`${-margin} -12 ${side + margin + 16} ${side + margin + 20}`}
      className="w-full max-w-90"
      role="img"
      aria-label={words(record)}
      fontSize="11"
      fill="var(--soft)"
    >
      <rect width={side} height={side} fill="var(--shade)" rx="6" />
      <path d={`M0 ${side}L${side} 0`} stroke="var(--edge)" strokeDasharray="4 4" />
      {[0, 0.5, 1].map(tick => (
        <g key={tick}>
          <text x={at(tick)} y={side + 15} textAnchor="middle">
            {tick * 100}
          </text>
          <text x="-7" y={side - at(tick) + 4} textAnchor="end">
            {tick * 100}
          </text>
        </g>
      ))}
      <text x={side / 2} y={side + 31} textAnchor="middle">
        confidence, in %
      </text>
      <text x="6" y="14">
        right, in %
      </text>
      <polyline points={points.join(' ')} fill="none" stroke="var(--accent)" strokeWidth="2" />
      {record.calibration.map(({ said, right, count, from }) => (
        <circle
          key={from}
          cx={at(said)}
          cy={side - at(right)}
          r={Math.min(12, 4 + Math.sqrt(count))}
          fill="var(--accent)"
          stroke="var(--surface)"
        >
          <title>{`${count} answers`}</title>
        </circle>
      ))}
    </svg>
  )
}
