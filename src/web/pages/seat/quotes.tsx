/** Words of others that a person quotes: they are picked by selecting them where they stand. */
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { judgementsFor, type QuoteForm } from './form.ts'
import { endSelection, TakeButton, useSelection } from './selection.tsx'
import type { AnswerProps } from './value-field.tsx'

const longestQuote = 400
const mostQuotes = 5

const QuoteEntry = ({
  quote,
  format,
  onChange,
  onRemove,
}: {
  readonly quote: QuoteForm
  readonly format: AnswerProps['asked']['format']
  onChange(part: Partial<QuoteForm>): void
  onRemove(): void
}) => (
  <li className="rounded-lg border border-line p-3">
    <blockquote className="said border-l-3 border-line pl-3 wrap-anywhere" dir="auto">
      “{quote.quote}”
    </blockquote>
    <p className="mt-1 flex items-center justify-between gap-2 text-sm text-soft">
      Seat {quote.seat}
      <Button kind="quiet" aria-label={`Remove the quote of Seat ${quote.seat}`} onClick={onRemove}>
        Remove
      </Button>
    </p>
    <div className="mt-2 grid gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <SelectField
        label="It …"
        value={quote.judgement}
        options={judgementsFor(format).map(value => ({ value, label: value }))}
        onChange={judgement => onChange({ judgement })}
      />
      <TextField
        label="Why (if you like)"
        dir="auto"
        value={quote.why}
        onChange={event => onChange({ why: event.target.value })}
      />
    </div>
  </li>
)

export const Quotes = ({ form, change, asked }: AnswerProps) => {
  const selected = useSelection('quotable', longestQuote)
  const seat = selected?.card.dataset.quotable ?? ''
  const take = (quote: string): void => {
    const judgement = judgementsFor(asked.format)[0] ?? ''
    change({
      quotes: [...form.quotes, { seat, quote, why: '', judgement }],
      ...(form.reason === 'other' && { reason: "a peer's point" }),
    })
    endSelection()
  }
  const replace = (index: number, entries: readonly QuoteForm[]): void =>
    change({ quotes: form.quotes.toSpliced(index, 1, ...entries) })
  return (
    <div>
      <p className="label mb-1">Words of others</p>
      <p className="text-sm text-soft">
        Select words of another seat above to quote them. If you change your answer, they are recorded as what
        moved you.
      </p>
      {form.quotes.length > 0 && (
        <ul className="mt-3 space-y-3" aria-label="Quoted words">
          {form.quotes.map((quote, index) => (
            <QuoteEntry
              key={`${index} ${quote.quote}`}
              quote={quote}
              format={asked.format}
              onChange={part => replace(index, [{ ...quote, ...part }])}
              onRemove={() => replace(index, [])}
            />
          ))}
        </ul>
      )}
      {selected && form.quotes.length < mostQuotes && (
        <TakeButton onTake={() => take(selected.words)}>Quote these words of Seat {seat}</TakeButton>
      )}
    </div>
  )
}
