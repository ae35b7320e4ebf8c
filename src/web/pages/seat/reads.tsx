/**
 * What the seat reads in this round: exactly what its prompt holds between the marks, made readable. The parser comes with
 * the page: somebody may wait here for days, and a part that is loaded later may meet a server that is just being restarted.
 */
import type { PromptItem } from '../../../core/question/prompt-pieces.ts'
import { promptPieces } from '../../../core/question/prompt-pieces.ts'
import { Markdown } from '../../components/markdown.tsx'
import type { Turn } from './form.ts'

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
