/** The models in order of their record: right and wrong, moves, cost and speed. */
import { Fragment } from 'react'
import { duration } from '../../../core/wording/durations.ts'
import { dollars } from '../../../core/wording/money.ts'
import { type ModelColumn, ModelName, ModelTable } from './model-table.tsx'
import { type ModelStats, none, shareWords } from './record.ts'

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
