/** Persuasiveness against accuracy: who is followed, and whether that is deserved. */
import { percent } from '../../../core/wording/numbers.ts'
import { movedApart } from '../../components/moved-apart.ts'
import { useWidth } from '../../components/width.ts'
import { accuracyOf, type ModelStats, persuasionOf } from './record.ts'

const height = 300
const left = 34
const bottom = 34
const ticks = [0, 0.25, 0.5, 0.75, 1]
const labelHeight = 14

const radius = 6

/** Names would run into each other: dots have numbers then, and the names are below. */
const narrow = 480

interface Dot {
  readonly name: string
  readonly cx: number
  readonly cy: number
}

/** Dots that cover each other share a label: it names the first of them. */
const labelled = <Some extends Dot>(dots: readonly Some[]): Some[] => {
  const spots: { readonly first: Some; others: number }[] = []
  for (const dot of dots) {
    const near = spots.find(({ first }) => Math.hypot(first.cx - dot.cx, first.cy - dot.cy) < 2 * radius)
    if (near) near.others += 1
    else spots.push({ first: dot, others: 0 })
  }
  return spots.map(({ first, others }) => {
    const name = first.name.slice(0, 28)
    return { ...first, name: others > 0 ? `${name} and ${others} more` : name }
  })
}

/** On each side: more would run out of the drawing. The models used most are named. */
const mostLabels = Math.floor((height - bottom - 30) / labelHeight)

export const Scatter = ({ models }: { models: readonly ModelStats[] }) => {
  const [element, width] = useWidth()
  const placed = models.flatMap(record => {
    const [accuracy, persuasion] = [accuracyOf(record), persuasionOf(record)]
    return accuracy === null || persuasion === null ? [] : [{ record, accuracy, persuasion }]
  })
  const x = (value: number): number => left + value * Math.max(0, width - left - 16)
  const y = (value: number): number => 10 + (1 - value) * (height - bottom - 10)
  if (placed.length === 0)
    return (
      <p className="text-soft">Resolve sessions in which models read each other, and they appear here.</p>
    )
  const words = placed.map(
    ({ record, accuracy, persuasion }) =>
      `${record.name}: right ${percent(accuracy)}, persuades ${percent(persuasion)}`,
  )
  const dots = placed
    .toSorted((one, other) => other.record.sessions - one.record.sessions)
    .map(({ record: { model, name }, accuracy, persuasion }) => {
      const [cx, cy] = [x(accuracy), y(persuasion)]
      return { model, name, cx, cy, y: cy, late: accuracy > 0.7 }
    })
  const labels = [true, false].flatMap(late =>
    movedApart(labelled(dots.filter(dot => dot.late === late)).slice(0, mostLabels), labelHeight, y(0) - 4),
  )
  const isNarrow = width < narrow
  return (
    <div ref={element}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Persuasiveness against accuracy. ${words.join('. ')}`}
        fontSize="11"
        fill="var(--soft)"
        className="block overflow-visible"
      >
        {ticks.map(tick => (
          <g key={tick}>
            <path d={`M${x(tick)} ${y(1)}V${y(0)}M${x(0)} ${y(tick)}H${x(1)}`} stroke="var(--line)" />
            <text x={x(tick)} y={y(0) + 15} textAnchor="middle">
              {tick * 100}
            </text>
            <text x={left - 6} y={y(tick) + 4} textAnchor="end">
              {tick * 100}
            </text>
          </g>
        ))}
        <text x={x(1)} y={height - 2} textAnchor="end">
          right when sealed, in %
        </text>
        <text x={left + 6} y={y(1) + 12}>
          persuades, in %
        </text>
        {dots.map(({ model, name, cx, cy }) => (
          <circle key={model} cx={cx} cy={cy} r={radius} fill="var(--accent)" stroke="var(--surface)">
            <title>{name}</title>
          </circle>
        ))}
        {labels.map(({ model, name, cx, y: line, late }, place) => (
          <text
            key={model}
            x={cx + (late ? -10 : 10)}
            y={line + 4}
            textAnchor={late ? 'end' : 'start'}
            fill="var(--ink)"
            fontSize="12"
          >
            {isNarrow ? place + 1 : name}
          </text>
        ))}
      </svg>
      {isNarrow && (
        <ol className="mt-2 list-inside list-decimal text-sm">
          {labels.map(({ model, name }) => (
            <li key={model}>{name}</li>
          ))}
        </ol>
      )}
    </div>
  )
}
