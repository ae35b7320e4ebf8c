/** Citations: the words of an exhibit that an answer relies on. Code looks them up. */
import { z } from 'zod'
import { boundedName as name, boundedText as text } from '../log/bounds.ts'
import { flattened, shortestQuote } from './flattened.ts'
import type { Attachment } from './question.ts'
import { trimmed } from './trimmed.ts'

/** More citations than this nobody checks in one answer. */
export const mostCitations = 12
const longestCited = 2_000

export const citationSchema = z.object({
  /** The number of the exhibit, from 1. */
  exhibit: z.number().int().min(1).max(100),
  quote: text,
  /** Whether the words are in that exhibit. */
  verified: z.boolean(),
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

/** The citations of a reply, looked up. One that names no exhibit or quotes nothing says nothing that can be checked. */
export const citationsFrom = (raw: unknown, exhibits: readonly Attachment[]): Citation[] =>
  (Array.isArray(raw) ? raw : []).slice(0, mostCitations).flatMap((one: unknown): Citation[] => {
    const fields = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {}
    const [exhibit, quote] = [numberIn(fields.exhibit), textIn(fields.quote).slice(0, longestCited)]
    const cited = exhibits[exhibit - 1]
    if (!cited || quote === '') return []
    const place = placeOf(cited, quote)
    const said = textIn(fields.place).slice(0, 200)
    return [
      { exhibit, quote, verified: place !== undefined, ...((place ?? said) && { place: place ?? said }) },
    ]
  })
