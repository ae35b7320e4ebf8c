/** The models in order of their record: right and wrong, moves, cost and speed. */
import { useState } from 'react'
import { duration } from '../../../core/wording/durations.ts'
import { dollars } from '../../../core/wording/money.ts'
import { Button } from '../../components/button.tsx'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { accuracyOf, type ModelStats, percentOr, persuasionOf } from './record.ts'

const columns: readonly {
  readonly label: string
  readonly explained: string
  readonly value: (record: ModelStats) => string
}[] = [
  { label: 'Sessions', explained: 'Sessions it took part in', value: record => String(record.sessions) },
  {
    label: 'Right, sealed',
    explained: 'Of resolved questions, before it read anybody',
    value: record =>
      record.sealed.of === 0
        ? '–'
        : `${percentOr(accuracyOf(record))} (${record.sealed.right}/${record.sealed.of})`,
  },
  {
    label: 'Right, final',
    explained: 'Of resolved questions, after the debate',
    value: ({ final }) => (final.of === 0 ? '–' : `${percentOr(final.right / final.of)}`),
  },
  {
    label: 'Brier',
    explained: 'How far its confidence is from the result: 0 is perfect, 0.25 is a guess',
    value: ({ brier }) => (brier === null ? '–' : brier.toFixed(3)),
  },
  {
    label: 'Better, worse',
    explained: 'Changes of mind from wrong to right, and from right to wrong',
    value: ({ wrongToRight, rightToWrong }) => `${wrongToRight}, ${rightToWrong}`,
  },
  {
    label: 'Persuades',
    explained: 'How many seats of other camps came to its camp after reading it',
    value: record => percentOr(persuasionOf(record)),
  },
  {
    label: 'Cost per answer',
    explained: 'The cost of all its calls, divided by its answers',
    value: ({ costUsd, answers }) => (costUsd === null || answers === 0 ? '–' : dollars(costUsd / answers)),
  },
  {
    label: 'Time',
    explained: 'The median of its answers',
    value: ({ latency }) => (latency === null ? '–' : duration(latency)),
  },
]

/** The others are one click away. */
const first = 12

export const TrackTable = ({ models }: { models: readonly ModelStats[] }) => {
  const [whole, setWhole] = useState(false)
  return (
    <>
      <Rows models={whole ? models : models.slice(0, first)} />
      {!whole && models.length > first && (
        <p className="mt-3 text-center">
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show all {models.length}
          </Button>
        </p>
      )}
    </>
  )
}

const Rows = ({ models }: { models: readonly ModelStats[] }) => (
  <ScrollRegion label="Track record of each model">
    <table className="w-full text-sm">
      <thead>
        <tr className="text-right text-soft">
          <th scope="col" className="sticky left-0 bg-surface pb-2 text-left font-medium">
            Model
          </th>
          {columns.map(({ label, explained }) => (
            <th key={label} scope="col" title={explained} className="pb-2 pl-5 font-medium whitespace-nowrap">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {models.map(record => (
          <tr key={record.model} className="border-t border-line text-right tabular-nums">
            <th
              scope="row"
              className="sticky left-0 max-w-44 min-w-32 bg-surface py-2.5 text-left font-medium"
            >
              <a
                href={`/model?id=${encodeURIComponent(record.model)}`}
                className="line-clamp-2 break-words underline-offset-2 hover:underline"
              >
                {record.name}
              </a>
            </th>
            {columns.map(({ label, value }) => (
              <td key={label} className="py-2.5 pl-5 whitespace-nowrap">
                {value(record)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
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
