/** Passages of exhibits and sources that a person relies on: selected where they stand, or written by hand. */
import { useMemo } from 'react'
import { longestCited } from '../../../core/question/citation.ts'
import { longestPlace, mostOwnCitations } from '../../../core/question/own-citations.ts'
import { type CitableItem, citableItems } from '../../../core/question/prompt-pieces.ts'
import { Button } from '../../components/button.tsx'
import { Field, inputClass, SelectField, TextField } from '../../components/field.tsx'
import type { CitationForm, Turn } from './form.ts'
import { endSelection, TakeButton, useSelection } from './selection.tsx'
import type { AnswerProps } from './value-field.tsx'

const Entry = ({
  citation,
  number,
  items,
  onChange,
  onRemove,
}: {
  readonly citation: CitationForm
  readonly number: number
  readonly items: readonly CitableItem[]
  onChange(part: Partial<CitationForm>): void
  onRemove(): void
}) => (
  <li className="space-y-3 rounded-lg border border-line p-3">
    <p className="flex items-center justify-between gap-2 text-sm text-soft">
      Citation {number}
      <Button kind="quiet" aria-label={`Remove citation ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </p>
    <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <SelectField
        label="Exhibit"
        value={citation.exhibit}
        options={items.map(({ exhibit, name }) => ({ value: `${exhibit}`, label: `[${exhibit}] ${name}` }))}
        onChange={exhibit => onChange({ exhibit })}
      />
      <TextField
        label="Place (if you like)"
        placeholder="p. 3"
        maxLength={longestPlace}
        value={citation.place}
        onChange={event => onChange({ place: event.target.value })}
      />
    </div>
    <Field label="Exact words">
      {id => (
        <textarea
          id={id}
          rows={2}
          dir="auto"
          maxLength={longestCited}
          className={inputClass}
          value={citation.quote}
          onChange={event => onChange({ quote: event.target.value })}
        />
      )}
    </Field>
  </li>
)

export const Citations = ({ form, change, turn }: AnswerProps & { readonly turn: Turn }) => {
  const items = useMemo(() => citableItems(turn.prompt.user, turn.form), [turn])
  const selected = useSelection('citable', longestCited)
  const { citations } = form
  if (items.length === 0) return null
  const full = citations.length >= mostOwnCitations
  const replace = (index: number, entries: readonly CitationForm[]): void =>
    change({ citations: citations.toSpliced(index, 1, ...entries) })
  const add = (citation: CitationForm): void => change({ citations: [...citations, citation] })
  const { citable = '', place = '' } = selected?.card.dataset ?? {}
  const take = (quote: string): void => {
    add({ exhibit: citable, place, quote })
    endSelection()
  }
  return (
    <div>
      <p className="label mb-1">Passages that you rely on</p>
      <p className="text-sm text-soft">
        Select words of an exhibit above to cite them. They are looked up, and the table sees whether they
        stand. Up to {mostOwnCitations}.
      </p>
      {citations.length > 0 && (
        <ul className="mt-3 space-y-3" aria-label="Citations">
          {citations.map((citation, index) => (
            <Entry
              key={index}
              citation={citation}
              number={index + 1}
              items={items}
              onChange={part => replace(index, [{ ...citation, ...part }])}
              onRemove={() => replace(index, [])}
            />
          ))}
        </ul>
      )}
      {!full && (
        <Button
          className="mt-3"
          onClick={() => add({ exhibit: `${items[0]!.exhibit}`, place: '', quote: '' })}
        >
          Add a citation
        </Button>
      )}
      {selected && !full && (
        <TakeButton onTake={() => take(selected.words)}>Cite these words of exhibit {citable}</TakeButton>
      )}
    </div>
  )
}
