/** Looks up the words that a report puts into quotation marks or attributes to a seat, as credits are looked up. */
import type { Session } from '../log/state.ts'
import { quoteStands } from '../question/answer.ts'
import { flattened } from '../question/flattened.ts'
import { trimmed } from '../question/trimmed.ts'
import { materialOf, textsOf } from './report-material.ts'

/** "Seat B", "seat b", "B" or its name. */
export const seatCalled = (session: Session, said: string): Session['seats'][number] | undefined => {
  const called = said
    .trim()
    .replace(/^seat\s+/i, '')
    .toLowerCase()
  return session.seats.find(one => [one.alias, one.name].some(name => name.toLowerCase() === called))
}

/** Without the spaces around it: to look for them first would take time that grows with the square. */
const left = /…|\.\.\.|\[[^\]]{0,80}\]/
const shortestPiece = 8

/** The pieces of a quotation that leaves something out. Those that are too short to prove anything are dropped. */
const piecesOf = (quote: string): string[] => {
  const pieces = quote
    .split(left)
    .map(piece => piece.trim())
    .filter(piece => piece.trim().length >= shortestPiece)
  return pieces.length > 0 ? pieces : [quote]
}

/** Whether these are words of the seat. */
export const isQuoteOf = (session: Session, seat: string, quote: string): boolean => {
  const texts = textsOf(session, seat)
  return piecesOf(quote).every(piece => quoteStands(piece, texts))
}

const quotation = /“([^“”]{1,800})”|"([^"\n]{1,800})"|«([^«»]{1,800})»|„([^„“”]{1,800})[“”]/g
/** Shorter ones may be a manner of speaking: “best” needs no author. */
const fewestWords = 4
const mostQuotations = 40
const mostProblems = 5

interface Quotation {
  readonly words: string
  /** The letter of the seat whose words they are said to be, if the text says so right before them. */
  readonly by?: string
}

const attribution =
  /[Ss]eat ([A-Z]{1,2})(?:['’]s (?:own )?(?:words?|phrase|line|remark|point|claim|warning|argument))?(?: that| is| was)?[:,]?\s*$/u

const quotationsIn = (text: string): Quotation[] =>
  [...text.matchAll(quotation)].flatMap(({ 0: whole, 1: a, 2: b, 3: c, 4: d, index }) => {
    const words = (a ?? b ?? c ?? d ?? whole).trim()
    if (words.split(/\s+/).length < fewestWords) return []
    const by = attribution.exec(text.slice(Math.max(0, index - 60), index))?.[1]
    return [{ words, ...(by && { by }) }]
  })

const shown = (words: string): string =>
  JSON.stringify(words.length > 120 ? `${words.slice(0, 120)}…` : words)

/** Why words can't stand as those of a seat. */
export const notIts = (alias: string, words: string): string =>
  `the words ${shown(words)} aren't in the answers of Seat ${alias}: copy its own words letter by letter, or name the seat that wrote them`

/** Quotations in the prose of a report that nobody wrote, or not the seat that is named. */
export const quotationProblems = (session: Session, report: string): string[] => {
  const quotations = quotationsIn(report)
  if (quotations.length === 0) return []
  if (quotations.length > mostQuotations) return [`it has more than ${mostQuotations} quotations`]
  const material = flattened(materialOf(session).join('\n'))
  return quotations
    .flatMap(({ words, by }) => {
      const seat = by && seatCalled(session, by)
      if (seat && !isQuoteOf(session, seat.id, words)) return [notIts(seat.alias, words)]
      const stands = piecesOf(words).every(piece => material.includes(trimmed(flattened(piece), "'.,; ")))
      return seat || stands
        ? []
        : [`nobody wrote ${shown(words)}: quote word for word, or without quotation marks`]
    })
    .slice(0, mostProblems)
}

/** The text with its quotations emptied: what a seat wrote isn't a statement of the report. */
export const withoutQuotations = (text: string): string => text.replace(quotation, '“…”')

/** Whether the prose quotes words of the seat. */
export const quotes = (session: Session, seat: string, report: string): boolean =>
  quotationsIn(report)
    .slice(0, mostQuotations)
    .some(({ words }) => isQuoteOf(session, seat, words))
