/** Citations: the words of an exhibit or a source that an answer relies on. Code looks them up. */
import { z } from 'zod'
import { boundedName as name, boundedText as text } from '../log/bounds.ts'
import { flattened, shortestQuote } from './flattened.ts'
import { isPicture } from './picture.ts'
import type { Attachment } from './question.ts'
import { isWebAddress, type Source } from './source.ts'
import { trimmed } from './trimmed.ts'

/** More citations than this nobody checks in one answer. */
export const mostCitations = 12
export const longestCited = 2_000

export const citationSchema = z.object({
  /** The number of the exhibit, from 1; sources have the numbers after them. Absent: a page that the seat found itself. */
  exhibit: z.number().int().min(1).max(200).optional(),
  /** Of the source. Absent: it is an exhibit. */
  address: name.refine(isWebAddress, 'An address begins with http:// or https://.').optional(),
  quote: text,
  /** Whether the words are in that exhibit or source. */
  verified: z.boolean(),
  /** Why nobody could look them up. */
  unreachable: name.optional(),
  /** Where they are: "p. 3", "line 12". If they aren't there: where the seat says that they are. */
  place: name.optional(),
})
export type Citation = z.infer<typeof citationSchema>

/** A text in which words are looked up, and where each of its lines begins, in it and in the exhibit. */
interface Lines {
  readonly flat: string
  readonly starts: readonly number[]
  readonly numbers: readonly number[]
  readonly offsets: readonly number[]
}

const linesOf = (whole: string): Lines => {
  const [flat, starts, numbers, offsets]: [string[], number[], number[], number[]] = [[], [], [], []]
  let [at, offset] = [0, 0]
  for (const [index, line] of whole.split('\n').entries()) {
    const words = flattened(line)
    if (words !== '') {
      flat.push(words)
      starts.push(at)
      numbers.push(index)
      offsets.push(offset)
      at += words.length + 1
    }
    offset += line.length + 1
  }
  return { flat: flat.join(' '), starts, numbers, offsets }
}

const known = new WeakMap<Attachment, Lines>()

/** Made once for each exhibit: many seats cite it in many rounds. */
const knownLines = (exhibit: Attachment): Lines => {
  const lines = known.get(exhibit) ?? linesOf(exhibit.text)
  known.set(exhibit, lines)
  return lines
}

/** The last of the ascending values that is at most this one. */
const lastAtMost = (values: readonly number[], most: number): number => {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! <= most) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** "p. 3" for a page, "Rent, line 2" for a sheet, "line 12" for a text. */
const placeAt = ({ places = [], media, text: whole }: Attachment, offset: number, line: number): string => {
  if (places.length === 0) return `line ${line + 1}`
  const { label, at } =
    places[
      lastAtMost(
        places.map(place => place.at),
        offset,
      )
    ]!
  if (media === 'application/pdf') return label
  const before = whole.slice(at, offset).split('\n').length
  return `${label}, line ${before}`
}

/** Where the words are in an exhibit; undefined if they aren't there. */
export const placeOf = (exhibit: Attachment, quote: string): string | undefined => {
  const words = trimmed(flattened(quote.slice(0, longestCited)), "'. ")
  if (words.length < shortestQuote) return undefined
  const lines = knownLines(exhibit)
  const at = lines.flat.indexOf(words)
  if (at < 0) return undefined
  const index = lastAtMost(lines.starts, at)
  return placeAt(exhibit, lines.offsets[index]!, lines.numbers[index]!)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** "1", "[1, p. 3]", 1. */
const numberIn = (value: unknown): number =>
  Number(/\d{1,3}/.exec(String(value ?? '').slice(0, 50))?.[0] ?? 0)

/** What a seat may cite. */
export interface Citable {
  readonly exhibits: readonly Attachment[]
  readonly sources?: readonly Source[]
  /** Pages that it finds itself. */
  readonly web?: boolean
}

/** Words of a source are in its quotes, or have to be looked up in its page. Quotes that nobody checked prove nothing. */
const inSource = ({ address, quotes, unchecked }: Source, quote: string): Partial<Citation> => {
  const stands = quotes.some(text => placeOf({ name: address, text }, quote) !== undefined)
  if (stands && unchecked !== undefined) return { address, verified: false, unreachable: unchecked }
  return { address, verified: stands }
}

const inExhibit = (exhibit: Attachment, quote: string, said: string): Partial<Citation> => {
  const found = placeOf(exhibit, quote)
  const place = found ?? said
  return {
    verified: found !== undefined,
    ...(isPicture(exhibit) && { unreachable: 'a picture' }),
    ...(place && { place }),
  }
}

/** Code can't read pictures: what a seat quotes from one is neither found nor missing. */
export const isInPicture = ({ address, unreachable }: Pick<Citation, 'address' | 'unreachable'>): boolean =>
  address === undefined && unreachable !== undefined

/** It names words that code looked for and didn't find, or couldn't reach. */
export const isUnsupported = (citation: Pick<Citation, 'verified' | 'address' | 'unreachable'>): boolean =>
  !citation.verified && !isInPicture(citation)

const lookedUpIn = (
  { exhibits, sources = [], web = false }: Citable,
  fields: Record<string, unknown>,
  quote: string,
): Partial<Citation> | undefined => {
  const address = web ? textIn(fields.address) : ''
  if (isWebAddress(address)) return { address: new URL(address).href, verified: false }
  const exhibit = numberIn(fields.exhibit)
  const source = sources[exhibit - 1 - exhibits.length]
  if (source) return { exhibit, ...inSource(source, quote) }
  const cited = exhibits[exhibit - 1]
  return cited && { exhibit, ...inExhibit(cited, quote, textIn(fields.place).slice(0, 200)) }
}

/** The citations of a reply, looked up. One that names nothing or quotes nothing says nothing that can be checked. */
export const citationsFrom = (raw: unknown, citable: Citable): Citation[] =>
  (Array.isArray(raw) ? raw : []).slice(0, mostCitations).flatMap((one: unknown): Citation[] => {
    const fields = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {}
    const quote = textIn(fields.quote).slice(0, longestCited)
    const found = quote === '' ? undefined : lookedUpIn(citable, fields, quote)
    return found ? [{ quote, verified: false, ...found }] : []
  })

/** A page that was read, or why it wasn't. */
export type PageRead = Pick<Attachment, 'text' | 'media' | 'places'> | { readonly unreachable: string }

/** The address of the page in which the words still have to be looked up. */
export const pageToRead = ({ address, verified, unreachable }: Citation): string | undefined =>
  verified || unreachable !== undefined ? undefined : address

/** The citation after its page was read. */
export const withPage = (citation: Citation, page: PageRead): Citation => {
  if ('unreachable' in page) return { ...citation, unreachable: page.unreachable.slice(0, 500) }
  const place = placeOf({ name: citation.address ?? '', ...page }, citation.quote)
  if (place === undefined) return citation
  return { ...citation, verified: true, ...(page.places && { place }) }
}
