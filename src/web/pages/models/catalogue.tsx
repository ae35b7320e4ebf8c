/** All known models with prices and context, those that were used most first. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ModelReply } from '../../../api/index.ts'
import { perMillion } from '../../../core/wording/money.ts'
import { counted, shortNumber } from '../../../core/wording/numbers.ts'
import { inputClass } from '../../components/field.tsx'
import { type KeyNames, needOf } from '../../components/needs.ts'
import { byUse, type Used } from './by-use.ts'
import { type ModelColumn, ModelName, ModelTable } from './model-table.tsx'
import { none } from './record.ts'

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
