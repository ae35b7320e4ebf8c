/** Filters and sorts the list of models. */
import { useMemo } from 'react'
import type { ModelReply } from '../../../api/index.ts'
import { makersIn, type Order, orders, type Search } from './model-search.ts'

interface PickerFiltersProps {
  readonly models: readonly ModelReply[]
  readonly search: Search
  onChange(change: Partial<Search>): void
}

const selectClass = 'min-w-0 rounded-lg border border-line bg-surface px-2 py-1.5 text-sm'

const switches = [
  ['ready', 'Ready to use'],
  ['local', 'Local'],
  ['openWeights', 'Open weights'],
] as const

export const PickerFilters = ({ models, search, onChange }: PickerFiltersProps) => {
  const makers = useMemo(() => makersIn(models), [models])
  return (
    <div className="my-3 flex flex-wrap items-center gap-2">
      {switches.map(([field, label]) => (
        <label
          key={field}
          className="cursor-pointer rounded-full border border-line px-3 py-1 text-sm text-soft has-checked:border-accent has-checked:bg-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="checkbox"
            className="sr-only"
            checked={search[field]}
            onChange={event => onChange({ [field]: event.target.checked })}
          />
          {label}
        </label>
      ))}
      <select
        aria-label="Maker"
        value={search.maker}
        onChange={event => onChange({ maker: event.target.value })}
        className={`${selectClass} max-w-36`}
      >
        <option value="">All makers</option>
        {makers.map(maker => (
          <option key={maker.id} value={maker.id}>
            {maker.label}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={search.order}
        onChange={event => onChange({ order: event.target.value as Order })}
        className={selectClass}
      >
        {Object.entries(orders).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
