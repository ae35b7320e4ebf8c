/** All known models with prices and context, those that were used most first. */
import { useState } from 'react'
import type { ModelReply } from '../../../api/index.ts'
import { perMillion } from '../../../core/wording/money.ts'
import { counted, shortNumber } from '../../../core/wording/numbers.ts'
import { Button } from '../../components/button.tsx'
import { inputClass } from '../../components/field.tsx'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { byUse, type Used } from './by-use.ts'

/** The others are one click, or one word, away. */
const first = 12
const most = 200

const readiness = ({ configured, missing }: ModelReply): string => {
  if (configured) return 'ready'
  return missing.length > 0 ? `needs ${missing.join(' or ')}` : 'no provider configured'
}

const Name = ({ model, sessions }: Used) =>
  sessions > 0 ? (
    <a href={`/model?id=${encodeURIComponent(model.id)}`} className="underline-offset-2 hover:underline">
      {model.name}
    </a>
  ) : (
    model.name
  )

const heads = ['Used', 'Input, per million', 'Output, per million', 'Context'] as const

const Row = ({ model, sessions }: Used) => (
  <tr className="border-t border-line text-right tabular-nums">
    <th scope="row" className="sticky left-0 max-w-44 min-w-36 bg-surface py-2 text-left font-medium">
      <span className="line-clamp-2 break-words">
        <Name model={model} sessions={sessions} />
      </span>
      <span className="block text-sm font-normal text-soft">{model.makerLabel}</span>
    </th>
    <td className="py-2 pl-5">{sessions === 0 ? '–' : counted(sessions, 'time')}</td>
    <td className="py-2 pl-5">{perMillion(model.price?.input)}</td>
    <td className="py-2 pl-5">{perMillion(model.price?.output)}</td>
    <td className="py-2 pl-5">{model.context === null ? 'unknown' : shortNumber(model.context)}</td>
    <td className={`py-2 pl-5 text-left ${model.configured ? 'text-good' : 'text-soft'}`}>
      {readiness(model)}
    </td>
  </tr>
)

const Table = ({ rows }: { rows: readonly Used[] }) => (
  <ScrollRegion label="Catalogue of models">
    <table className="w-full text-sm">
      <thead>
        <tr className="text-right text-soft">
          <th scope="col" className="sticky left-0 bg-surface pb-2 text-left font-medium">
            Model
          </th>
          {heads.map(head => (
            <th key={head} scope="col" className="pb-2 pl-5 font-medium whitespace-nowrap">
              {head}
            </th>
          ))}
          <th scope="col" className="pb-2 pl-5 text-left font-medium">
            Can be seated
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Row key={row.model.id} {...row} />
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

interface CatalogueProps {
  readonly models: readonly ModelReply[]
  /** In how many sessions each model was, by its id. */
  readonly uses: ReadonlyMap<string, number>
}

export const Catalogue = ({ models, uses }: CatalogueProps) => {
  const [words, setWords] = useState('')
  const [whole, setWhole] = useState(false)
  const found = byUse(models, uses, words)
  const shown = found.slice(0, whole ? most : first)
  return (
    <>
      <input
        type="search"
        aria-label="Search models"
        placeholder="Search by name, maker or id"
        value={words}
        onChange={event => setWords(event.target.value)}
        className={`${inputClass} mb-4`}
      />
      {found.length === 0 ? <p className="text-soft">No model has this name.</p> : <Table rows={shown} />}
      {found.length > shown.length && (
        <p className="mt-3 text-center text-sm text-soft">
          {whole ? (
            `${counted(found.length - shown.length, 'more model')}: search to find them.`
          ) : (
            <Button kind="quiet" onClick={() => setWhole(true)}>
              Show {found.length > most ? 'more' : `all ${found.length}`}
            </Button>
          )}
        </p>
      )}
    </>
  )
}
