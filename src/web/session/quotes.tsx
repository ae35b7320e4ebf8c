/** The passages of exhibits that an answer cites. Each opens its exhibit at the place. */

import { lazy, Suspense, useId, useState } from 'react'
import { withoutEmphasis } from '../../core/basics.ts'
import {
  type Answer,
  type Citation,
  isUnsupported,
  type Judgement,
  type Point,
  quoteStands,
} from '../../core/question.ts'
import { answerIn, type Round, type Session, seatOf } from '../../core/session.ts'
import { campsById, type Flip, moveOf } from '../../count/moves.ts'
import { campIds, regroupedSeats } from '../../count/settle.ts'
import { roundPhrase } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import {
  citationMark,
  citationSign,
  citationsTitle,
  citationWords,
  citedName,
  creditWords,
  directionWords,
  ownWord,
  pointsTitle,
  quoteNotFound,
  quoteWords,
  reasonWords,
  unlikeItsWord,
  unsupportedWords,
} from '../../words/moves.ts'
import { foundTitle, unsearchedWords } from '../../words/words.ts'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

const ExhibitDialog = lazy(() => import('./exhibit-dialog.tsx'))

const looks =
  'max-w-full text-left wrap-anywhere underline decoration-soft underline-offset-3 hover:text-accent'

/** An exhibit opens here; a source is a link, whose address the log has checked. */
const Cited = ({ citation, onShow }: { citation: Citation; onShow: () => void }) => {
  const { session } = useStage()
  const words = `${citationMark(citation)} ${citedName(citation, session.question.attachments)}`
  if (citation.address !== undefined)
    return (
      <a className={looks} href={citation.address} target="_blank" rel="noopener noreferrer">
        {words}
      </a>
    )
  return (
    <button type="button" className={looks} onClick={onShow}>
      {words}
    </button>
  )
}

const toneOf = (citation: Citation): string => {
  if (citation.verified) return 'text-good'
  return isUnsupported(citation) ? 'text-bad' : 'text-soft'
}

export const Citations = ({ citations }: { citations: readonly Citation[] }) => {
  const title = useId()
  const [shown, setShown] = useState<Citation>()
  if (citations.length === 0) return null
  return (
    <div className="mt-3 break-inside-avoid">
      <h5 id={title} className="label">
        {citationsTitle}
      </h5>
      <ul className="mt-1" aria-labelledby={title}>
        {citations.map((one, index) => (
          <li key={`${index} ${one.exhibit}`} className="border-t border-line py-1.5 text-sm first:border-0">
            <Cited citation={one} onShow={() => setShown(one)} />{' '}
            <span className={toneOf(one)}>
              {citationSign(one)} {citationWords(one)}
            </span>
            <p className="said wrap-anywhere italic" dir="auto">
              “{one.quote}”
            </p>
          </li>
        ))}
      </ul>
      {shown?.exhibit !== undefined && (
        <Suspense>
          <ExhibitDialog
            exhibit={shown.exhibit}
            quote={shown.verified ? shown.quote : undefined}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

// credits: Finds the round in which words were written that changed a mind.

/** The latest earlier round in which the peer wrote the words; else the latest in which it wrote at all. */
export const roundOfQuote = (session: Session, flip: Pick<Flip, 'round' | 'credit'>): number | undefined => {
  const { credit } = flip
  if (!credit) return undefined
  const earlier = session.roundsSoFar.filter(
    round => round.index < flip.round && answerIn(round, credit.seat) !== undefined,
  )
  const quoted = earlier.findLast(round => {
    const answer = answerIn(round, credit.seat)
    return answer && quoteStands(credit.quote, [answer.headline, answer.reasoning, answer.text ?? ''])
  })
  return (quoted ?? earlier.at(-1))?.index
}

/** What changed from one headline to the next, word by word. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Comparing takes the product of both lengths: longer texts are shown as replaced. */
const longest = 600

const wordsOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Lengths of the longest common run of words from each pair of places to the ends. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      table[one]![other] =
        before[one] === after[other]
          ? table[one + 1]![other + 1]! + 1
          : Math.max(table[one + 1]![other]!, table[one]![other + 1]!)
    }
  }
  return table
}

const joined = (pieces: readonly Piece[]): Piece[] => {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (last?.kind === piece.kind) result[result.length - 1] = { ...last, text: last.text + piece.text }
    else result.push(piece)
  }
  return result
}

export const wordDiff = (before: string, after: string): Piece[] => {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > longest || now.length > longest) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const common = commonLengths(old, now)
  const pieces: Piece[] = []
  let [one, other] = [0, 0]
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      pieces.push({ kind: 'same', text: now[other]! })
      one++
      other++
    } else if (
      other >= now.length ||
      (one < old.length && common[one + 1]![other]! >= common[one]![other + 1]!)
    ) {
      pieces.push({ kind: 'removed', text: old[one++]! })
    } else pieces.push({ kind: 'added', text: now[other++]! })
  }
  return joined(pieces)
}

/** How much of the newer text stood in the older one already, from 0 to 1. */
export const keptShare = (pieces: readonly Piece[]): number => {
  const length = (kind: Piece['kind']): number =>
    pieces.filter(piece => piece.kind === kind).reduce((sum, piece) => sum + piece.text.trim().length, 0)
  const whole = length('same') + length('added')
  return whole === 0 ? 0 : length('same') / whole
}

// foundPages: The pages that a seat's own search found.

export const FoundPages = ({ answer }: { answer: Answer }) => {
  if (!answer.found && !answer.unsearched) return null
  if (answer.unsearched) return <p className="mt-3 text-sm text-soft">{unsearchedWords}</p>
  return (
    <details className="mt-3 text-sm text-soft">
      <summary>
        {foundTitle}: {answer.found?.length ?? 0}
      </summary>
      <ul className="mt-1">
        {answer.found?.map(({ address, title }) => (
          <li key={address} className="wrap-anywhere" dir="auto">
            {title && `${title}: `}
            <a className="underline" href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

// ledger: Who changed its mind: from which camp to which, why, and whose words did it.

const Side = ({ camp }: { camp: string | null }) => {
  const { session, numbers } = useStage()
  if (camp === null) return <span className="text-soft">no camp</span>
  const label = campsById(session).get(camp)?.label ?? camp
  return (
    <span className="inline-flex min-w-0 items-start gap-1.5" title={label}>
      <CampMark index={numbers.get(camp) ?? 0} className="mt-px size-4.5" />
      <span className="said line-clamp-3" dir="auto">
        {label}
      </span>
    </span>
  )
}

/** The words that a seat says changed its mind; a click shows where they were written. */
export const CreditQuote = ({ flip }: { flip: Pick<Flip, 'round' | 'credit'> }) => {
  const { session, reveal } = useStage()
  const { credit } = flip
  if (!credit) return null
  const peer = seatOf(session, credit.seat)
  return (
    <figure className="mt-2 border-s-3 border-line ps-3">
      <blockquote className="said text-[.95rem] italic" dir="auto">
        “{credit.quote}”
      </blockquote>
      <figcaption className="mt-1 text-sm text-soft">
        {credit.verified ? (
          <button
            type="button"
            className="text-left underline decoration-line underline-offset-3 hover:text-ink"
            onClick={() => reveal(credit.seat, roundOfQuote(session, flip), credit.quote)}
          >
            <span className="text-good">✓</span> {peer.name} wrote this: show it
          </button>
        ) : (
          <>
            <span className="text-bad">✕</span> credited to {peer.name}, {creditWords(false)}
          </>
        )}
      </figcaption>
    </figure>
  )
}

const Entry = ({ flip }: { flip: Flip }) => {
  const { session, reveal } = useStage()
  return (
    <li className="border-t border-line py-4 first:border-0 first:pt-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <button
          type="button"
          className="min-w-0 text-left font-semibold wrap-anywhere hover:underline"
          onClick={() => reveal(flip.seat)}
        >
          {seatOf(session, flip.seat).name}
        </button>
        <span className="text-sm text-soft">
          in {roundPhrase({ index: flip.round, sealed: false })}
          {flip.reason && `, ${reasonWords[flip.reason]}`}
          {flip.direction && `, ${directionWords[flip.direction]}`}
        </span>
      </p>
      {!session.imported && (
        <p className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 text-sm">
          <span className="text-soft">from</span>
          <Side camp={flip.from} />
          <span className="text-soft">to</span>
          <Side camp={flip.to} />
        </p>
      )}
      {flip.unsupported !== undefined && (
        <p className="mt-1 text-sm text-bad">✗ {unsupportedWords(flip.unsupported)}</p>
      )}
      <CreditQuote flip={flip} />
    </li>
  )
}

/** Seats that the flow draws into another camp, though they say what they said before: their camp's words moved, not they. */
const Regrouped = () => {
  const { session } = useStage()
  const seats = regroupedSeats(verdictOf(session)).map(seat => seatOf(session, seat).name)
  if (seats.length === 0) return null
  return (
    <p className="mt-3 text-sm text-soft">
      {`${seats.join(', ')}: now in another camp, with an answer that still fits the sealed one. That isn’t a change of mind.`}
    </p>
  )
}

/** Some seat was not in the same camp in every round, or was in none. */
export const hasMoved = (session: Session): boolean => {
  const [first, ...others] = session.roundsSoFar.map(round => campIds(session, round))
  return others.some(camps => session.seats.some(({ id }) => camps.get(id) !== first?.get(id)))
}

/** With more of them, a phone shows nothing else. */
const mostShown = 6

export const Ledger = () => {
  const { session } = useStage()
  const { ledger, final } = verdictOf(session)
  const [whole, setWhole] = useState(false)
  const shown = whole ? ledger : ledger.slice(0, mostShown)
  // The flow also draws a round that ended early.
  const isUncounted = (session.roundsSoFar.at(-1)?.index ?? 0) > (final?.round ?? 0)
  if (ledger.length === 0)
    return (
      <>
        <p className="text-soft">
          {isUncounted
            ? 'No seat changed its mind in the rounds that were counted.'
            : 'No seat has changed its mind.'}
        </p>
        <Regrouped />
      </>
    )
  return (
    <>
      <ul>
        {shown.map(flip => (
          <Entry key={`${flip.seat} ${flip.round}`} flip={flip} />
        ))}
      </ul>
      {ledger.length > mostShown && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="text-sm font-medium text-accent hover:underline"
        >
          {whole ? 'Show fewer' : `Show all ${ledger.length} changes of mind`}
        </button>
      )}
      <Regrouped />
    </>
  )
}

// ownWord: What became of a seat's last answer, in its own word, and whose words it credits.

interface OwnWordProps {
  readonly seat: string
  readonly round: Round
  readonly answer: Answer
}

export const OwnWord = ({ seat, round, answer }: OwnWordProps) => {
  const { session } = useStage()
  const said = ownWord(answer)
  const credit = (said || answer.decision === 'change') && (
    <CreditQuote flip={{ round: round.index, credit: answer.credit ?? null }} />
  )
  if (!said) return credit || null
  const unlike = session.imported ? undefined : unlikeItsWord(answer, moveOf(session, round, seat))
  return (
    <>
      <p className="mt-2 text-sm text-soft">
        Says it {said}
        {answer.reason && ` (${reasonWords[answer.reason]})`}
        {unlike && <span className="font-medium text-bad">; {unlike}</span>}
      </p>
      {credit}
    </>
  )
}

// points: What a seat says of its peers' points: each in a line, with the whole quote and the reason behind it.

const tones: Record<Judgement, string> = {
  holds: 'text-good',
  'holds in part': 'text-good',
  'beside the point': 'text-soft',
  'does not hold': 'text-bad',
  works: 'text-good',
  'nearly works': 'text-soft',
  'does not work': 'text-bad',
  'cannot be checked': 'text-soft',
}

const Source = ({ point, round }: { point: Point; round: number }) => {
  const { session, reveal } = useStage()
  const { seat, quote, verified } = point
  if (!verified) return null
  return (
    <button
      type="button"
      className="mt-1 max-w-full text-left text-sm wrap-anywhere text-soft underline decoration-line underline-offset-3 hover:text-ink"
      onClick={() => reveal(seat, roundOfQuote(session, { round, credit: point }), quote)}
    >
      <span className="text-good">✓</span> {quoteWords(true)}: show it
    </button>
  )
}

const PointEntry = ({ point, round }: { point: Point; round: number }) => {
  const { session } = useStage()
  return (
    <li className="border-t border-line py-1.5 first:border-0">
      <details className="group">
        <summary className="flex cursor-pointer gap-1.5 text-sm">
          <span aria-hidden="true" className="self-start text-soft transition-transform group-open:rotate-90">
            ▸
          </span>
          <span className="line-clamp-2 min-w-0 wrap-anywhere group-open:line-clamp-none">
            <span className={`font-medium ${tones[point.judgement]}`}>{point.judgement}</span>
            <span className="text-soft">
              {' · '}
              {seatOf(session, point.seat).name}
              {!point.verified && ` (${quoteNotFound})`}:{' '}
            </span>
            <span className="said italic" dir="auto">
              “{point.quote}”
            </span>
          </span>
        </summary>
        <div className="pb-1 pl-4">
          {point.why.trim() !== '' && (
            <p className="said mt-1 text-[.95rem] whitespace-pre-wrap" dir="auto">
              {point.why}
            </p>
          )}
          <Source point={point} round={round} />
        </div>
      </details>
    </li>
  )
}

export const Points = ({ points, round }: { points: readonly Point[]; round: number }) => {
  const title = useId()
  if (points.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark per seat.
    <div role="group" className="mt-3" aria-labelledby={title}>
      <h5 id={title} className="label break-after-avoid">
        {pointsTitle}
      </h5>
      <ul className="mt-1">
        {points.map((point, index) => (
          <PointEntry key={`${index} ${point.seat}`} point={point} round={round} />
        ))}
      </ul>
    </div>
  )
}

// quote: Finds quoted words on the page, and selects them.

/** The text of an element, and for each of its characters where it is. */
const charactersOf = (element: Element): { text: string; at: { node: Text; offset: number }[] } => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const at: { node: Text; offset: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = plain(node.data[offset] ?? '')
      if (character === ' ' && text.endsWith(' ')) continue
      text += character
      at.push({ node, offset })
    }
  }
  return { text, at }
}

/** One character for one, so that places stay what they are. */
const plain = (character: string): string => {
  if (/\s/.test(character)) return ' '
  if (/[“”„«»"‘’‚']/.test(character)) return "'"
  if (/[‐‑‒–—―−-]/.test(character)) return '-'
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

const flattened = (quote: string): string =>
  [
    ...withoutEmphasis(quote)
      .replace(/\u2060/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .map(plain)
    .join('')
    .replace(/^['. ]+|['. ]+$/g, '')

const rangeOf = (element: Element, quote: string): Range | undefined => {
  const { text, at } = charactersOf(element)
  const words = flattened(quote)
  const start = words === '' ? -1 : text.indexOf(words)
  const [first, last] = [at[start], at[start + words.length - 1]]
  if (!first || !last) return undefined
  const range = new Range()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}

/** Brings the element into view with the quote selected; without the words, the element alone. */
export const showQuote = (element: Element, quote: string | undefined): void => {
  const range = quote === undefined ? undefined : rangeOf(element, quote)
  if (range) {
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  }
  const place = range?.startContainer.parentElement ?? element
  place.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
