/** Narrows the archive; every choice is in the address, so that a search can be kept as a link. */
import { useState } from 'react'
import type { FoundReply } from '../../../api/index.ts'
import { levels } from '../../../core/verdict/tally.ts'
import { levelTitle } from '../../../core/wording/level-words.ts'
import { Button } from '../../components/button.tsx'
import { useProtocols } from '../../components/protocols.ts'

/** The filters in the address; `words` belongs to the search field. */
export const filterNames = ['model', 'protocol', 'level', 'tag', 'from', 'before'] as const

interface FiltersProps {
  readonly params: URLSearchParams
  readonly found: readonly FoundReply[]
  onChange(change: Readonly<Record<string, string | undefined>>): void
}

const controlClass =
  'min-h-9 w-full min-w-0 rounded-lg sm:w-auto sm:max-w-44 border border-line bg-surface px-2 text-sm'

interface ListedProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  onChange(value: string): void
}

/** A value in the address is offered even if nothing found has it. */
const Listed = ({ label, all, value, options, onChange }: ListedProps) => {
  const known = value === '' || options.some(option => option.value === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      className={`${controlClass} ${value ? 'border-accent bg-wash' : ''}`}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{value}</option>}
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

const distinct = (values: readonly string[]): { value: string; label: string }[] =>
  [...new Set(values)].toSorted().map(value => ({ value, label: value }))

const DateField = ({ label, value, onChange }: Pick<ListedProps, 'label' | 'value' | 'onChange'>) => (
  <label className="flex flex-col gap-1 text-sm text-soft sm:flex-row sm:items-center sm:gap-2">
    {label}
    <input
      type="date"
      value={value}
      onChange={event => onChange(event.target.value)}
      className={`${controlClass} text-ink ${value ? 'border-accent bg-wash' : ''}`}
    />
  </label>
)

export const Filters = ({ params, found, onChange }: FiltersProps) => {
  const protocols = useProtocols()
  const of = (name: (typeof filterNames)[number]) => ({
    value: params.get(name) ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const count = filterNames.filter(name => params.has(name)).length
  // On a phone the sessions come first; whoever follows a link with filters sees them at once.
  const [unfolded, setUnfolded] = useState(count > 0)
  return (
    <div>
      <Button
        className="w-full sm:hidden"
        aria-expanded={unfolded}
        aria-controls="filters"
        onClick={() => setUnfolded(!unfolded)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <div
        id="filters"
        className={`${unfolded ? 'grid' : 'hidden'} mt-2 grid-cols-1 items-center gap-2 min-[22rem]:grid-cols-2 sm:mt-0 sm:flex sm:flex-wrap`}
      >
        <Listed
          label="Model"
          all="All models"
          options={distinct(found.flatMap(({ models }) => models))}
          {...of('model')}
        />
        <Listed
          label="Protocol"
          all="All protocols"
          options={protocols.map(({ id, label }) => ({ value: id, label }))}
          {...of('protocol')}
        />
        <Listed
          label="Agreement"
          all="Any agreement"
          options={levels.map(value => ({ value, label: levelTitle(value) }))}
          {...of('level')}
        />
        <Listed
          label="Tag"
          all="All tags"
          options={distinct(found.flatMap(({ tags }) => tags))}
          {...of('tag')}
        />
        <DateField label="From" {...of('from')} />
        <DateField label="Before" {...of('before')} />
        {count > 0 && (
          <Button
            kind="quiet"
            onClick={() => onChange(Object.fromEntries(filterNames.map(name => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}
