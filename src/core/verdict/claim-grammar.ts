/**
 * Reads what plain English sentences say of seats: "Seat A and Seat C changed their minds". What a sentence denies or
 * supposes is left out.
 */
import { literal } from '../literal.ts'
import type { Session } from '../log/state.ts'
import { withoutQuotations } from './report-quotes.ts'

const letter = '[A-Z]{1,2}(?![\\p{L}\\p{N}])'
/** "Seat A", "Seats A and C", "Seat A, Seat B and Seat C". */
export const seats = `[Ss]eats? ${letter}(?:(?:, and |, | and | & |/)(?:[Ss]eat )?${letter}){0,12}`
/** Seats that something happens to. In "moved Seat A and Seat B replied" the second begins a new statement. */
export const objects = `(?:${seats}(?= ?[.,;:!?)–—]|$| (?:to|towards?|by|with|from|away|over|that|into|on|in|as)(?!\\p{L}))|[Ss]eat ${letter})`
export const adverb =
  '(?:\\p{L}{2,20}ly |then |later |also |still |now |both |first |even |only |again ){0,3}'

/** What is denied, supposed or limited. */
const unsure =
  /(?<!\p{L})(?:no|not|never|neither|nor|nobody|nothing|none|without|hardly|barely|almost|nearly|if|would|could|might|may|should|cannot|unless|fail(?:s|ed)?|tried|trying|whether|rather than|instead)(?!\p{L})|n['’]t(?!\p{L})/iu
/** "Seat E said nothing", "Seat E's view is missing". */
const deniedAfter =
  /^(?: is| was| were| are)? (?:nothing|no|not|neither|none|never|missing|absent|unknown)(?!\p{L})/iu
const lookBack = 100

/** Of a statement: its words, and the letters of the seats that it names. */
export interface Claim {
  readonly said: string
  readonly who: readonly string[]
  readonly by: readonly string[]
  readonly what: string
}

/** Undefined if one isn't at the table. In "…, and Seat B" the last may begin a new statement: then it alone counts. */
const idsIn = (session: Session, labels: string | undefined): string[] | undefined => {
  const all = labels?.match(/(?<![\p{L}\p{N}])[A-Z]{1,2}(?![\p{L}\p{N}])/gu) ?? []
  const letters = all.length === 2 && labels?.includes(', and ') ? all.slice(1) : all
  const found = letters.map(alias => session.seats.find(seat => seat.alias === alias)?.id)
  return found.every(id => id !== undefined) ? found : undefined
}

/** A pattern takes longer to make than to match in a sentence; those with the options of a question come and go. */
const patterns = new Map<string, RegExp>()
const mostPatterns = 100

export const patternOf = (source: string): RegExp => {
  const pattern = patterns.get(source) ?? new RegExp(source, 'gu')
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

/** The option "No" denies nothing, except at the beginning of a sentence, where any word has a capital. */
const withoutOptions = ({ question }: Session, text: string): string =>
  question.options.reduce((rest, option) => rest.replaceAll(` ${option}`, ' …'), text)

/** Whether a part of a sentence denies or supposes something. */
export const isUnsure = (session: Session, text: string): boolean =>
  unsure.test(withoutOptions(session, text))

/** What a pattern with groups `who`, `by` and `what` finds, if it is stated plainly. */
export const claimsIn = (session: Session, sentence: string, source: string): Claim[] =>
  [...sentence.matchAll(patternOf(source))].flatMap(({ 0: said, index, groups = {} }) => {
    const upToHere = sentence.slice(Math.max(0, index - lookBack), index + said.length)
    const next = sentence.slice(index + said.length, index + said.length + lookBack)
    if (isUnsure(session, upToHere) || deniedAfter.test(next)) return []
    const [who, by] = [idsIn(session, groups.who ?? groups.whose), idsIn(session, groups.by)]
    return who && by ? [{ said: said.trim(), who, by, what: groups.what ?? '' }] : []
  })

export const aliasOf = (session: Session, id: string): string =>
  `Seat ${session.seats.find(seat => seat.id === id)?.alias ?? id}`

/** With letters for names, if names are shown or a report is read again. Two seats of one name stay as they are. */
const withLetters = (session: Session, text: string): string => {
  const names = session.seats.map(seat => seat.name)
  const known = session.seats
    .filter(({ name }) => names.filter(one => one === name).length === 1 && name.length > 1)
    .sort((one, other) => other.name.length - one.name.length)
  if (known.length === 0) return text
  const any = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${known.map(({ name }) => literal(name)).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(any, name => `Seat ${known.find(seat => seat.name === name)?.alias}`)
}

/** Without quotations and emphasis, and with letters for names. */
export const sentencesOf = (session: Session, report: string): string[] =>
  withLetters(session, withoutQuotations(report))
    .replace(/[*_`]/g, '')
    .split(/(?<=[.!?;])\s+|\n+/)
