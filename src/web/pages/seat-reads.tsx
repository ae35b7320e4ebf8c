/** The part of an answer that is counted: an option, an order, a number, or a text. */

import { useMemo } from 'react'
import { longestCited } from '../../core/question.ts'
import { longestPlace, mostOwnCitations } from '../../core/reply.ts'
import { type CitableItem, citableItems, type PromptItem, promptPieces } from '../../protocols/protocol.ts'
import { Field, inputClass, SelectField, TextField } from '../kit/fields.tsx'
import { Button } from '../kit/frame.tsx'
import { Markdown } from '../kit/markdown.tsx'
import {
  type CitationForm,
  endSelection,
  judgementsFor,
  type QuoteForm,
  type SeatAnswer,
  type SeatQuestion,
  TakeButton,
  type Turn,
  useSelection,
} from './seat.tsx'

export interface AnswerProps {
  readonly form: SeatAnswer
  readonly asked: SeatQuestion
  change(part: Partial<SeatAnswer>): void
}

const Options = ({ form, asked, change }: AnswerProps) => (
  <fieldset>
    <legend className="label mb-2">Your choice</legend>
    <div className="space-y-2">
      {asked.options.map(option => (
        <label
          key={option}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-line bg-surface px-3 py-2 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="choice"
            className="mt-1 accent-(--accent)"
            checked={form.choice === option}
            onChange={() => change({ choice: option })}
          />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {option}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)

const moved = (list: readonly string[], from: number, to: number): string[] => {
  const copy = [...list]
  const [item] = copy.splice(from, 1)
  copy.splice(to, 0, item!)
  return copy
}

const Order = ({ form, change }: AnswerProps) => (
  <fieldset>
    <legend className="label mb-2">Your order, the first one on top</legend>
    <ol className="space-y-2">
      {form.ranking.map((option, index) => (
        <li key={option} className="flex items-center gap-2 rounded-lg border border-line px-3 py-1.5">
          <span className="tabular-nums text-soft">{index + 1}.</span>
          <span dir="auto" className="min-w-0 grow wrap-anywhere">
            {option}
          </span>
          <Button
            kind="quiet"
            aria-label={`Move ${option} up`}
            disabled={index === 0}
            onClick={() => change({ ranking: moved(form.ranking, index, index - 1) })}
          >
            ↑
          </Button>
          <Button
            kind="quiet"
            aria-label={`Move ${option} down`}
            disabled={index === form.ranking.length - 1}
            onClick={() => change({ ranking: moved(form.ranking, index, index + 1) })}
          >
            ↓
          </Button>
        </li>
      ))}
    </ol>
  </fieldset>
)

const Numbers = ({ form, asked, change }: AnswerProps) => {
  const field = (name: 'number' | 'low' | 'high', label: string) => (
    <TextField
      label={label}
      inputMode="decimal"
      value={form[name]}
      onChange={event => change({ [name]: event.target.value })}
    />
  )
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {field('number', asked.unit ? `Your number, in ${asked.unit}` : 'Your number')}
      {field('low', 'At least (if you can say)')}
      {field('high', 'At most (if you can say)')}
    </div>
  )
}

const Text = ({ form, change }: AnswerProps) => (
  <Field label="Your text">
    {id => (
      <textarea
        id={id}
        rows={10}
        dir="auto"
        className={inputClass}
        value={form.text}
        onChange={event => change({ text: event.target.value })}
      />
    )}
  </Field>
)

export const ValueField = (props: AnswerProps) => {
  const { format } = props.asked
  switch (format) {
    case 'open':
      return null
    case 'choice':
      return <Options {...props} />
    case 'ranking':
      return <Order {...props} />
    case 'number':
      return <Numbers {...props} />
    case 'text':
      return <Text {...props} />
    default:
      return format satisfies never
  }
}

// citations: Passages of exhibits and sources that a person relies on: selected where they stand, or written by hand.

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

// quotes: Words of others that a person quotes: they are picked by selecting them where they stand.

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

// reads: What the seat reads in this round: exactly what its prompt holds between the marks, made readable. The parser comes with
// the page: somebody may wait here for days, and a part that is loaded later may meet a server that is just being restarted.

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

const Quotable = ({ seat, children }: { seat: string; children: React.ReactNode }) => (
  <div data-quotable={seat}>{children}</div>
)

const AnswerCard = ({ item }: { item: PromptItem }) => {
  const seat = textOf(item.seat)
  const value = textOf(item.value)
  return (
    <article className="card min-w-0 p-4" aria-label={`Seat ${seat}`}>
      <h3 className="text-sm font-semibold text-soft">
        Seat {seat}
        {item.name ? `, ${textOf(item.name)}` : ''}
      </h3>
      {value && (
        <p className="mt-1 font-semibold" dir="auto">
          {value}
          {item.range ? ` (${textOf(item.range)})` : ''}
        </p>
      )}
      <Quotable seat={seat}>
        <p className="said mt-1 text-lg leading-snug font-semibold wrap-anywhere" dir="auto">
          {textOf(item.headline)}
        </p>
        {[item.reading, item.text, item.reasoning].map(
          (part, index) =>
            textOf(part) !== '' && (
              <div key={index} className="mt-3 leading-relaxed wrap-anywhere" dir="auto">
                <Markdown text={textOf(part)} />
              </div>
            ),
        )}
      </Quotable>
    </article>
  )
}

const PositionCard = ({ item }: { item: PromptItem }) => {
  const quotes = Array.isArray(item.arguments) ? (item.arguments as readonly PromptItem[]) : []
  return (
    <article className="card min-w-0 p-4">
      <h3 className="said text-lg font-semibold wrap-anywhere" dir="auto">
        {textOf(item.position)}
      </h3>
      {item.note !== undefined && <p className="mt-1 text-sm text-soft">{textOf(item.note)}</p>}
      {quotes.map((quote, index) => (
        <figure key={`${index} ${textOf(quote.seat)}`} className="mt-2 border-l-3 border-line pl-3">
          <Quotable seat={textOf(quote.seat)}>
            <blockquote className="said wrap-anywhere" dir="auto">
              {textOf(quote.quote)}
            </blockquote>
          </Quotable>
          <figcaption className="text-sm text-soft">Seat {textOf(quote.seat)}</figcaption>
        </figure>
      ))}
    </article>
  )
}

/** A page or a passage of an exhibit, or a source with its quotes. Its words can be selected and cited. */
const ExhibitCard = ({ item }: { item: PromptItem }) => {
  const [exhibit, place] = [textOf(item.exhibit), textOf(item.place)]
  const quotes = Array.isArray(item.quotes) ? item.quotes : [item.text]
  const notes = [item.address, item.date, item.line && `line ${textOf(item.line)}`]
    .map(textOf)
    .filter(Boolean)
  return (
    <article className="card min-w-0 p-4" aria-label={`Exhibit ${exhibit}${place ? `, ${place}` : ''}`}>
      <h3 className="text-sm font-semibold text-soft wrap-anywhere" dir="auto">
        [{place ? `${exhibit}, ${place}` : exhibit}] {textOf(item.name ?? item.title)}
      </h3>
      {notes.length > 0 && <p className="text-sm text-soft wrap-anywhere">{notes.join(', ')}</p>}
      {quotes.map((words, index) => (
        <p
          key={index}
          className="mt-2 whitespace-pre-wrap wrap-anywhere"
          dir="auto"
          data-citable={exhibit}
          data-place={place}
        >
          {textOf(words)}
        </p>
      ))}
    </article>
  )
}

const titles: Readonly<Record<string, string>> = {
  asker: 'The person who asked has added',
  objection: 'An objection, by a challenger without a seat',
  attachment: 'Attached',
  exhibit: 'Exhibit',
  group: 'The group',
  prices: 'Prices',
}

interface ItemProps {
  readonly item: PromptItem
  /** Of the link: pictures are shown through it. */
  readonly token: string
}

/** Everything else: each field with its name. */
const PlainCard = ({ item, token }: ItemProps) => {
  const [[first = '', value] = [], ...rest] = Object.entries(item)
  const seat = textOf(item.seat ?? item.advocate).replace(/^Seat /, '')
  return (
    <article className="card min-w-0 p-4" {...(seat && { 'data-quotable': seat })}>
      <h3 className="text-sm font-semibold text-soft">{titles[first] ?? first}</h3>
      <p className="mt-1 whitespace-pre-wrap wrap-anywhere" dir="auto">
        {textOf(value)}
      </p>
      {rest.map(([name, more]) => (
        <p key={name} className="mt-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
          <span className="text-sm text-soft">{name}: </span>
          {textOf(more)}
        </p>
      ))}
      {item.picture !== undefined && (
        <img
          alt={textOf(item.name)}
          src={`/api/seat/${token}/pictures/${Number(item.exhibit)}`}
          className="mt-2 max-h-[60dvh] max-w-full object-contain"
        />
      )}
    </article>
  )
}

const Item = ({ item, token }: ItemProps) => {
  if (item.seat !== undefined && item.headline !== undefined) return <AnswerCard item={item} />
  if (item.exhibit !== undefined && item.picture === undefined) return <ExhibitCard item={item} />
  return item.position !== undefined ? <PositionCard item={item} /> : <PlainCard item={item} token={token} />
}

export const Reads = ({ turn, token }: { turn: Turn; token: string }) => {
  const items = promptPieces(turn.prompt.user).flatMap(piece => ('items' in piece ? piece.items : []))
  return (
    <>
      {items.length > 0 && (
        <section aria-labelledby="reads" className="space-y-4">
          <h2 id="reads" className="said text-xl font-semibold">
            {turn.round === 0 ? 'What comes with the question' : 'What you read before you answer'}
          </h2>
          <div className="grid gap-4 lg:grid-cols-2">
            {items.map((item, index) => (
              <Item key={index} item={item} token={token} />
            ))}
          </div>
        </section>
      )}
      <details className="text-sm">
        <summary className="font-medium text-soft">What a model in this seat is told, word for word</summary>
        <pre className="card mt-3 max-h-96 overflow-auto p-4 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
          {[turn.prompt.system, ...turn.prompt.user].join('\n\n')}
        </pre>
      </details>
    </>
  )
}
