/** Models in the order in which a person looks for them. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import type { ModelReply, RetiringReply, StatsReply } from '../../api/table.ts'
import {
  counted,
  dollars,
  duration,
  inPercent,
  percent,
  perMillion,
  shortNumber,
  utcDayText,
} from '../../core/basics.ts'
import { letterTask } from '../../core/opening.ts'
import { askTable, fetchRetiring } from '../kit/api.ts'
import { AppLink, movedApart, ScrollRegion, useWidth } from '../kit/controls.tsx'
import { inputClass, type KeyNames, needOf } from '../kit/fields.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'

export interface Used {
  readonly model: ModelReply
  /** In how many sessions it was. */
  readonly sessions: number
}

/** Those used most first, then those that can be seated, then the newest; only those that have all the words. */
export const byUse = (
  models: readonly ModelReply[],
  uses: ReadonlyMap<string, number>,
  words: string,
): Used[] => {
  const wanted = words.toLowerCase().split(/\s+/)
  return models
    .filter(({ name, makerLabel, id }) => {
      const text = `${name} ${makerLabel} ${id}`.toLowerCase()
      return wanted.every(word => text.includes(word))
    })
    .map(model => ({ model, sessions: uses.get(model.id) ?? 0 }))
    .toSorted(
      (one, other) =>
        other.sessions - one.sessions || Number(other.model.configured) - Number(one.model.configured),
    )
}

// record: What the track record says, in figures that can be compared.

/** What isn't known, or never happened. */
export const none = '–'

export type ModelStats = StatsReply['models'][number]

/** Null if there is nothing to take a share of. */
export const share = (part: number, of: number): number | null => (of > 0 ? part / of : null)

export const accuracyOf = ({ sealed }: ModelStats): number | null => share(sealed.right, sealed.of)

export const persuasionOf = ({ persuasion }: ModelStats): number | null =>
  share(persuasion.adopters, persuasion.exposures)

/** "67% (2/3)": one of one is less than ninety of ninety, so the counts always stand beside the share. */
export const shareWords = (part: number, of: number): string =>
  of === 0 ? none : `${percent(part / of)} (${part}/${of})`

/** By the pair, whichever of the two is named first. */
export const agreementIn = (stats: StatsReply, one: string, other: string) =>
  stats.agreement.find(
    pair => (pair.one === one && pair.other === other) || (pair.one === other && pair.other === one),
  )

// calibration: Whether confidence means what it says: the diagonal is perfect, below it is overconfident.

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

// modelTable: Models in rows. On a phone every model is a block of its figures, since a table of so many columns would scroll sideways.

export interface ModelColumn<Row> {
  readonly label: string
  /** What the figure means. */
  readonly explained?: string
  /** Words are on the left, and a phone gives them a whole line. */
  readonly words?: boolean
  readonly value: (row: Row) => ReactNode
}

interface RowsProps<Row> {
  readonly label: string
  readonly columns: readonly ModelColumn<Row>[]
  readonly rows: readonly Row[]
  /** The model's own id. */
  readonly idOf: (row: Row) => string
  readonly head: (row: Row) => ReactNode
  /** A phone would have to be scrolled for screens to what comes below. */
  readonly fewOnPhone?: boolean
}

const mostOnPhone = 3

interface FigureProps {
  readonly label: string
  readonly words: boolean | undefined
  readonly children: ReactNode
}

/** On a phone, a line that says nothing is left out. */
const Figure = ({ label, words, children }: FigureProps) => (
  <td
    className={`py-2 ${children === none ? 'max-sm:hidden' : 'max-sm:flex'} max-sm:justify-between max-sm:gap-2 max-sm:py-0 sm:pl-5 ${words ? 'text-left max-sm:col-span-full' : 'sm:whitespace-nowrap'}`}
  >
    <span className={`text-left text-soft sm:hidden ${words ? 'sr-only' : ''}`}>{label} </span>
    {children}
  </td>
)

const Rows = <Row,>({ label, columns, rows, idOf, head, fewOnPhone = false }: RowsProps<Row>) => (
  <ScrollRegion label={label}>
    <table className="w-full text-sm max-sm:block">
      <thead className="max-sm:hidden">
        <tr className="text-right text-soft">
          <th scope="col" className="sticky left-0 bg-surface pb-2 text-left font-medium">
            Model
          </th>
          {columns.map(column => (
            <th
              key={column.label}
              scope="col"
              title={column.explained}
              className={`pb-2 pl-5 font-medium whitespace-nowrap ${column.words ? 'text-left' : ''}`}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row, index) => (
          <tr
            key={idOf(row)}
            className={`border-t border-line text-right tabular-nums ${fewOnPhone && index >= mostOnPhone ? 'max-sm:hidden' : 'max-sm:grid'} max-sm:gap-x-6 min-[27rem]:max-sm:grid-cols-2 max-sm:gap-y-1 max-sm:py-3 max-sm:first:border-0`}
          >
            <th
              scope="row"
              className="left-0 bg-surface py-2 text-left font-medium max-sm:col-span-full max-sm:py-0 sm:sticky sm:max-w-44 sm:min-w-36"
            >
              {head(row)}
            </th>
            {columns.map(({ label, words, value }) => (
              <Figure key={label} label={label} words={words}>
                {value(row)}
              </Figure>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

/** The others are one click, or one word, away. */
const first = 12
const most = 200

/** The first of them, and the others on request. */
export const ModelTable = <Row,>({ rows, fewOnPhone = false, ...table }: RowsProps<Row>) => {
  const [whole, setWhole] = useState(false)
  const shown = rows.slice(0, whole ? most : first)
  const hidden = rows.length > shown.length
  const hiddenOnPhone = fewOnPhone && !whole && rows.length > mostOnPhone
  return (
    <>
      <Rows {...table} rows={shown} fewOnPhone={hiddenOnPhone} />
      {(hidden || hiddenOnPhone) && (
        <p className={`mt-3 text-center text-sm text-soft ${hidden ? '' : 'sm:hidden'}`}>
          {whole ? (
            `${counted(rows.length - shown.length, 'more model')}: search to find them.`
          ) : (
            <Button kind="quiet" onClick={() => setWhole(true)}>
              Show {rows.length > most ? 'more' : `all ${rows.length}`}
            </Button>
          )}
        </p>
      )}
    </>
  )
}

/** The name of a model, which leads to its record if it has one. */
export const ModelName = ({ id, name, record }: { id: string; name: string; record: boolean }) => (
  <span className="line-clamp-2 break-words">
    {record ? (
      <AppLink
        href={`/model?id=${encodeURIComponent(id)}`}
        className="underline decoration-line underline-offset-2 hover:decoration-current"
      >
        {name}
      </AppLink>
    ) : (
      name
    )}
  </span>
)

// catalogue: All known models with prices and context, those that were used most first.

const price = (usd: number | undefined): string => (usd === undefined ? none : perMillion(usd))

const Readiness = ({ model, keyNames }: { model: ModelReply; keyNames: KeyNames }) =>
  model.configured ? (
    <span className="text-good">ready</span>
  ) : (
    <Link to="/settings" className="text-soft underline decoration-line underline-offset-2 hover:text-ink">
      {needOf(model, keyNames)}
    </Link>
  )

const columnsWith = (keyNames: KeyNames): readonly ModelColumn<Used>[] => [
  {
    label: 'Used',
    explained: 'In how many sessions',
    value: ({ sessions }) => (sessions === 0 ? none : counted(sessions, 'time')),
  },
  {
    label: 'Input',
    explained: 'Dollars for a million tokens that it reads',
    value: ({ model }) => price(model.price?.input),
  },
  {
    label: 'Output',
    explained: 'Dollars for a million tokens that it writes',
    value: ({ model }) => price(model.price?.output),
  },
  {
    label: 'Context',
    explained: 'How many tokens it can read at once',
    value: ({ model }) => (model.context === null ? none : shortNumber(model.context)),
  },
  {
    label: 'Can be seated',
    words: true,
    value: ({ model }) => <Readiness model={model} keyNames={keyNames} />,
  },
]

interface CatalogueProps {
  readonly models: readonly ModelReply[]
  /** In how many sessions each model was, by its id. */
  readonly uses: ReadonlyMap<string, number>
  readonly keyNames: KeyNames
}

export const Catalogue = ({ models, uses, keyNames }: CatalogueProps) => {
  const [words, setWords] = useState('')
  const found = byUse(models, uses, words)
  return (
    <>
      <input
        type="search"
        aria-label="Search models"
        placeholder="Name, maker or id"
        value={words}
        onChange={event => setWords(event.target.value)}
        className={`${inputClass} mb-4`}
      />
      {found.length === 0 ? (
        <p className="text-soft">No model has this name.</p>
      ) : (
        <ModelTable
          label="Catalogue of models"
          columns={columnsWith(keyNames)}
          rows={found}
          idOf={({ model }) => model.id}
          head={({ model, sessions }) => (
            <>
              <ModelName id={model.id} name={model.name} record={sessions > 0} />
              <span className="block text-sm font-normal text-soft">{model.makerLabel}</span>
            </>
          )}
        />
      )}
    </>
  )
}

// heatMap: How often two models gave the same sealed answer: those that always do are one voice, not two.

/** With more rows it stops being a picture. */
const mostModelsInMap = 10

/** A phone has room for six of them, below their names: beside the figures, a name would be cut to its first letters. */
const onPhone =
  'max-sm:[&_tr]:grid max-sm:[&_tr]:grid-cols-[repeat(6,2.5rem)] max-sm:[&_tr:nth-child(n+7)]:hidden max-sm:[&_tr>*:nth-child(n+8)]:hidden'
const cell = 'size-10 min-w-10 text-center max-sm:grid max-sm:place-content-center'

/** The figure is in the cell: many people cannot read a shade alone. */
const Cell = ({ same, of }: { same: number; of: number }) => (
  <td title={`${same} of ${of} times`} className={`relative p-0.5 ${cell}`}>
    <svg className="absolute inset-0.5 size-[calc(100%-0.25rem)]" aria-hidden="true">
      <rect width="100%" height="100%" rx="5" fill="var(--accent)" opacity={0.06 + (same / of) * 0.34} />
    </svg>
    <span className="relative tabular-nums">{inPercent(same / of, 0)}</span>
  </td>
)

export const HeatMap = ({ stats }: { stats: StatsReply }) => {
  const met = (model: string): boolean =>
    stats.agreement.some(({ one, other }) => one === model || other === model)
  // Those who sat together most often: a table of fifty that met once says little.
  const models = stats.models
    .filter(({ model }) => met(model))
    .toSorted((one, other) => other.sessions - one.sessions)
    .slice(0, mostModelsInMap)
  if (models.length < 2)
    return (
      <p className="text-soft">
        This appears when two models have sat at one table and their answers were grouped.
      </p>
    )
  return (
    <ScrollRegion label="Agreement in percent">
      <table className={`text-sm ${onPhone}`}>
        <thead>
          <tr>
            <td className="max-sm:hidden" />
            {models.map(({ model, name }, index) => (
              <th key={model} scope="col" title={name} className="pb-1 text-center font-medium text-soft">
                {index + 1}
                <span className="sr-only"> {name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((one, index) => (
            <tr key={one.model}>
              <th
                scope="row"
                className="max-w-40 truncate pr-3 text-left font-normal max-sm:col-span-full max-sm:max-w-none max-sm:pt-2 max-sm:whitespace-normal"
                title={one.name}
              >
                <span className="text-soft">{index + 1}</span> {one.name}
              </th>
              {models.map(other => {
                const pair = agreementIn(stats, one.model, other.model)
                if (pair) return <Cell key={other.model} {...pair} />
                return (
                  <td key={other.model} className={`text-soft ${cell}`}>
                    {one === other ? '' : '·'}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

// retiring: Models of one's line-ups that are about to be retired, with an offer to ask each for its letter.

type Leaving = RetiringReply['models'][number]

const Row = ({ leaving }: { leaving: Leaving }) => {
  const navigate = useNavigate()
  const { model, name, retires, successor, lineups } = leaving
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askTable({ question: letterTask(), book: {}, seats: [model] }),
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <p className="min-w-0 wrap-anywhere">
        <strong>{name}</strong> is turned off on {utcDayText(retires)}
        {successor ? `; ${successor.name} comes after it` : ''}.
        <span className="block text-sm text-soft">It sits at: {lineups.join(', ')}</span>
      </p>
      <Button disabled={isPending} onClick={() => mutate()}>
        Ask for its letter
      </Button>
      {error && <Problem error={error} />}
    </li>
  )
}

/** Nothing until the providers have said so: most models stay. */
export const RetiringModels = () => {
  const { data } = useQuery({ queryKey: ['retiring'], queryFn: fetchRetiring })
  if (!data || data.models.length === 0) return null
  return (
    <section aria-label="Models about to be retired" className="card p-4 sm:p-6">
      <h2 className="said text-xl font-semibold">About to be retired</h2>
      <p className="mt-1 text-sm text-soft">
        Their providers say so. Ask each for a letter to its successor.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {data.models.map(leaving => (
          <Row key={leaving.model} leaving={leaving} />
        ))}
      </ul>
    </section>
  )
}

// scatter: Persuasiveness against accuracy: who is followed, and whether that is deserved.

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

// trackTable: The models in order of their record: right and wrong, moves, cost and speed.

const columns: readonly (ModelColumn<ModelStats> & { readonly explained: string })[] = [
  { label: 'Sessions', explained: 'Sessions it took part in', value: record => String(record.sessions) },
  {
    label: 'Right, sealed',
    explained: 'Of resolved questions, before it read anybody',
    value: ({ sealed }) => shareWords(sealed.right, sealed.of),
  },
  {
    label: 'Right, final',
    explained: 'Of resolved questions, after the debate',
    value: ({ final }) => shareWords(final.right, final.of),
  },
  {
    label: 'Confidence error',
    explained: 'How far its confidence is from the result (Brier score): 0 is perfect, 0.25 is a guess',
    value: ({ brier }) => (brier === null ? none : brier.toFixed(3)),
  },
  {
    label: 'Became right, wrong',
    explained: 'Changes of mind from wrong to right, and from right to wrong',
    value: ({ wrongToRight, rightToWrong }) =>
      wrongToRight + rightToWrong === 0 ? none : `${wrongToRight}, ${rightToWrong}`,
  },
  {
    label: 'Persuades',
    explained: 'How often readers from other camps then joined its camp',
    value: ({ persuasion }) => shareWords(persuasion.adopters, persuasion.exposures),
  },
  {
    label: 'Cost per answer',
    explained: 'The cost of all its calls, divided by its answers',
    value: ({ costUsd, answers }) => (costUsd === null || answers === 0 ? none : dollars(costUsd / answers)),
  },
  {
    label: 'Time',
    explained: 'The median of its answers',
    value: ({ latency }) => (latency === null ? none : duration(latency)),
  },
]

export const TrackTable = ({ models }: { models: readonly ModelStats[] }) => (
  <>
    <ModelTable
      label="Track record of each model"
      columns={columns}
      rows={models}
      fewOnPhone
      idOf={({ model }) => model}
      head={({ model, name }) => <ModelName id={model} name={name} record />}
    />
    <details className="mt-4 text-sm">
      <summary className="w-fit font-medium text-soft">What the columns mean</summary>
      <dl className="mt-2 grid gap-x-6 gap-y-1 text-soft sm:grid-cols-[max-content_1fr]">
        {columns.map(({ label, explained }) => (
          <Fragment key={label}>
            <dt className="font-medium text-ink">{label}</dt>
            <dd>{explained}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  </>
)

/** The same figures of one model, each with what it means. */
export const Figures = ({ record }: { record: ModelStats }) => (
  <dl className="grid grid-cols-2 gap-4 md:grid-cols-4">
    {columns.map(({ label, explained, value }) => (
      <div key={label} className="card p-4">
        <dt className="label">{label}</dt>
        <dd className="said mt-1 text-2xl font-semibold">{value(record)}</dd>
        <dd className="mt-1 text-sm text-soft">{explained}</dd>
      </div>
    ))}
  </dl>
)
