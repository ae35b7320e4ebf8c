/** Excerpts: the passages of exhibits that seats get if the whole doesn't fit a model. */

import { z } from 'zod'
import { longestName, searched, sought, withoutEmphasis } from './basics.ts'
import { type Attachment, longestAttachment, sha256Schema } from './question.ts'

const place = z.number().int().min(0).max(longestAttachment)

/** A part of an exhibit's text. */
export const passageSchema = z.object({
  /** From 1. */
  exhibit: z.number().int().min(1).max(100),
  from: place,
  to: place,
})
export type ExhibitPassage = z.infer<typeof passageSchema>

export const excerptsSchema = z.object({
  /** In the order of the exhibits and their texts. */
  given: z.array(passageSchema).max(200_000),
  /** How many passages the exhibits have. */
  of: z.number().int().min(1),
})
export type Excerpts = z.infer<typeof excerptsSchema>

/** Characters: a passage ends with the line that reaches the first, and never has more than the second. */
const usual = 800
const longest = 1_600

/** Where to end a line that is too long: after a sentence, or else after a word. */
const cutIn = (text: string, from: number): number => {
  const piece = text.slice(from, from + longest)
  const sentence = Math.max(piece.lastIndexOf('. '), piece.lastIndexOf('。'))
  const end = sentence > usual ? sentence + 1 : piece.lastIndexOf(' ')
  return from + (end > 0 ? end : longest)
}

/** The end of the passage that begins here. */
const endOf = (text: string, from: number, last: number): number => {
  let end = from
  while (end < last && end - from < usual) {
    const line = text.indexOf('\n', end)
    const next = line < 0 || line >= last ? last : line + 1
    if (next - from > longest) return end > from ? end : cutIn(text, from)
    end = next
  }
  return end
}

const passagesBetween = (text: string, exhibit: number, from: number, last: number): ExhibitPassage[] => {
  const found: ExhibitPassage[] = []
  for (let at = from; at < last; ) {
    const to = endOf(text, at, last)
    if (text.slice(at, to).trim() !== '') found.push({ exhibit, from: at, to })
    at = to
  }
  return found
}

/** All passages of the exhibits. None goes across two pages or sheets. */
export const passagesOf = (attachments: readonly Attachment[]): ExhibitPassage[] =>
  attachments.flatMap(({ text, places = [] }, index) => {
    const starts = places.length > 0 ? places.map(({ at }) => at) : [0]
    return starts.flatMap((at, one) => passagesBetween(text, index + 1, at, starts[one + 1] ?? text.length))
  })

/** A passage with its words, and with page or sheet and line, so that it can be cited. */
export interface ExcerptText {
  readonly exhibit: number
  readonly name: string
  readonly place?: string
  readonly line: number
  readonly text: string
}

const breaksIn = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Lines are counted on from the passage before: from the start each time, a long text would take minutes. */
export const excerptTexts = (
  attachments: readonly Attachment[],
  { given }: Pick<Excerpts, 'given'>,
): ExcerptText[] => {
  let before = { exhibit: 0, start: 0, at: 0, line: 1 }
  return given.flatMap(({ exhibit, from, to }) => {
    const found = attachments[exhibit - 1]
    if (!found) return []
    const { name, text, places = [] } = found
    const part = places.findLast(({ at }) => at <= from)
    const start = part?.at ?? 0
    const goesOn = before.exhibit === exhibit && before.start === start && before.at <= from
    const known = goesOn ? before : { at: start, line: 1 }
    const line = known.line + breaksIn(text, known.at, from)
    before = { exhibit, start, at: from, line }
    return [{ exhibit, name, ...(part && { place: part.label }), line, text: text.slice(from, to).trimEnd() }]
  })
}

// passage: Where quoted words are in a text, as offsets in the text itself.

export interface FoundPassage {
  readonly from: number
  readonly to: number
}

/** The lines that hold the words, from the first to the last. Undefined if they aren't there. */
export const passageOf = (text: string, quote: string): FoundPassage | undefined => {
  const words = sought(quote, 1)
  const lines = withoutEmphasis(text).split('\n')
  const flat = lines.map(searched)
  const at =
    words === undefined
      ? -1
      : flat
          .filter(line => line !== '')
          .join(' ')
          .indexOf(words)
  if (at < 0 || words === undefined) return undefined
  let [place, offset, from] = [0, 0, -1]
  for (const [index, line] of lines.entries()) {
    const length = flat[index]!.length
    if (length > 0 && from < 0 && place + length > at) from = offset
    if (length > 0) place += length + 1
    offset += line.length + 1
    if (from >= 0 && place >= at + words.length) return { from, to: offset - 1 }
  }
  return from < 0 ? undefined : { from, to: text.length }
}

// storedFile: A file beside a log: the bytes of an exhibit. Base64, because it also goes over sockets and into documents as JSON.

export const storedFileSchema = z.object({
  sha256: sha256Schema,
  media: z.string().max(longestName),
  data: z.string(),
})
export type StoredFile = Readonly<z.infer<typeof storedFileSchema>>
