/** Words of others that a person quotes: they are picked by selecting them where they stand. */
import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { judgementsFor, type QuoteForm } from './form.ts'
import type { AnswerProps } from './value-field.tsx'

/** Fewer letters prove nothing, and the table would not count them. */
const shortestQuote = 8
const longestQuote = 400
const mostQuotes = 5

interface Selected {
  readonly seat: string
  readonly quote: string
}

const cardOf = (node: Node | null): HTMLElement | null => {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest<HTMLElement>('[data-quotable]') ?? null
}

/** Selected words of one seat; undefined if the selection is elsewhere, too short, or spans two seats. */
const selectedWords = (): Selected | undefined => {
  const selection = document.getSelection()
  const card = cardOf(selection?.anchorNode ?? null)
  const quote = selection?.toString().replace(/\s+/g, ' ').trim() ?? ''
  if (!card || card !== cardOf(selection?.focusNode ?? null) || quote.length < shortestQuote) return undefined
  return { seat: card.dataset.quotable ?? '', quote: quote.slice(0, longestQuote) }
}

export interface Quoting {
  readonly selected: Selected | undefined
  take(): void
}

/** Follows the selection, with mouse, finger or keyboard. */
export const useQuotes = (
  form: AnswerProps['form'],
  change: AnswerProps['change'],
  { format }: AnswerProps['asked'],
): Quoting => {
  const [selected, setSelected] = useState<Selected>()
  useEffect(() => {
    const follow = (): void => setSelected(selectedWords())
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])
  return {
    selected: form.quotes.length < mostQuotes ? selected : undefined,
    take() {
      if (!selected) return
      const judgement = judgementsFor(format)[0] ?? ''
      change({
        quotes: [...form.quotes, { ...selected, why: '', judgement }],
        ...(form.reason === 'other' && { reason: "a peer's point" }),
      })
      document.getSelection()?.removeAllRanges()
    },
  }
}

/** Above everything, so that nothing moves when words are selected. */
const TakeButton = ({ selected, take }: Quoting) =>
  selected && (
    <p className="fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
      {/* A press must not end the selection before it is taken. */}
      <Button
        kind="primary"
        className="shadow-lg"
        onPointerDown={event => event.preventDefault()}
        onClick={take}
      >
        Quote these words of Seat {selected.seat}
      </Button>
    </p>
  )

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

export const Quotes = ({ form, change, asked, quoting }: AnswerProps & { readonly quoting: Quoting }) => {
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
      <TakeButton {...quoting} />
    </div>
  )
}
