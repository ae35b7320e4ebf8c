/** What is asked: the text, its format and what comes with it. */

import { z } from 'zod'
import {
  longestName,
  boundedName as name,
  normalForm,
  searched,
  sought,
  boundedText as text,
  trimmedEnd,
  withoutEmphasis,
} from './basics.ts'

export const formats = ['open', 'choice', 'ranking', 'number', 'text'] as const
export type Format = (typeof formats)[number]

export const longestQuestion = 100_000
export const longestAttachment = 1_000_000
export const mostOptions = 20
const longestOption = 10_000
const mostAttachments = 100
export const longestInstruction = 20_000
/** Words that a text may be asked to have, and how many if nobody says. */
export const textWords = { least: 20, most: 3_000, usual: 400 } as const

/** "10%", "2.5 %" */
const percentPattern = /^\d{1,6}(?:\.\d{1,6})?\s*%$/

/** Without a schema: the pages, which have none, ask too. */
export const isTolerance = (value: number | string): boolean =>
  typeof value === 'number' ? value > 0 : percentPattern.test(value) && Number.parseFloat(value) > 0

export const isLength = (words: number): boolean =>
  Number.isInteger(words) && words >= textWords.least && words <= textWords.most

/** How far apart two numbers may be and still count as the same: an amount in the unit, or a percentage. */
export const toleranceSchema = z.union([
  z.number().positive('A tolerance is greater than zero.'),
  z
    .string()
    .trim()
    .regex(percentPattern, 'A tolerance is an amount such as 5, or a percentage such as "10%".')
    .refine(text => Number.parseFloat(text) > 0, 'A tolerance is greater than zero.'),
])

export const lengthSchema = z
  .number()
  .int('A length is a whole number of words.')
  .min(textWords.least, `A text has at least ${textWords.least} words.`)
  .max(textWords.most, `A text has at most ${textWords.most} words.`)

export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 digits in lower case, 0 to f.')

/** Where a page, a sheet or a section begins in the text of an exhibit. */
export const placeSchema = z.object({
  /** "p. 3", "Sheet1". */
  label: z.string().max(longestName),
  at: z.number().int().min(0).max(longestAttachment),
})
const mostPlaces = 10_000
const pixels = z.number().int().min(1).max(100_000)

/** What goes with a question. One with a media type is an exhibit: seats may cite it by its number, from 1. */
export const attachmentSchema = z.object({
  name: z.string().min(1).max(longestName),
  /** Empty for a picture. */
  text: z.string().max(longestAttachment).default(''),
  media: z.string().max(longestName).optional(),
  /** Of the bytes, which are kept beside the log. Absent: it was given as text. */
  sha256: sha256Schema.optional(),
  /** Pages or sheets, in the order of the text. Absent: places are lines. */
  places: z.array(placeSchema).max(mostPlaces).readonly().optional(),
  /** Of a picture, in pixels. */
  width: pixels.optional(),
  height: pixels.optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const questionSchema = z
  .object({
    text: z
      .string()
      .refine(text => text.trim() !== '', 'The question is empty: write what you want to know.')
      .refine(
        text => text.length <= longestQuestion,
        `The question is longer than ${longestQuestion} characters: put the rest into an attachment.`,
      ),
    format: z.enum(formats).default('open'),
    /** The options of a choice, or the items of a ranking. */
    options: z.array(z.string().trim().min(1, 'An option is empty.').max(longestOption)).default([]),
    unit: z.string().max(longestName).optional(),
    scale: z.enum(['linear', 'log']).default('linear'),
    /** Of a number. Absent: it follows from the scale, and from how the answers are rounded. */
    tolerance: toleranceSchema.optional(),
    /** Of a text, in words. Absent: about 400. */
    length: lengthSchema.optional(),
    /** Texts are grouped by what they want only if the asker wishes it. */
    camps: z.literal('intent').optional(),
    attachments: z.array(attachmentSchema).max(mostAttachments).default([]),
    /** How the asker wants to be answered, such as the system message of a chat program. */
    instruction: z
      .string()
      .max(longestInstruction, `An instruction has at most ${longestInstruction} characters.`)
      .optional(),
  })
  .superRefine((question, context) => {
    const listed = question.format === 'choice' || question.format === 'ranking'
    const count = question.options.length
    const refuse = (message: string): void => {
      context.addIssue({ code: 'custom', message, path: ['options'] })
    }
    if (listed && (count < 2 || count > mostOptions)) {
      refuse(`A ${question.format} question needs 2 to ${mostOptions} options, and this one has ${count}.`)
    }
    if (!listed && count > 0) {
      refuse(`Options go with the formats choice and ranking, not with ${question.format}.`)
    }
    const names = question.options.map(option => option.toLowerCase())
    if (new Set(names).size !== count) refuse('Two options are the same.')
    const goesWith = (format: Format, field: keyof typeof question, what: string): void => {
      if (question.format === format) return
      context.addIssue({
        code: 'custom',
        message: `${what} with the format ${format}.`,
        path: [field],
      })
    }
    if (question.unit !== undefined) goesWith('number', 'unit', 'A unit goes')
    if (question.scale === 'log') goesWith('number', 'scale', 'A log scale goes')
    if (question.tolerance !== undefined) goesWith('number', 'tolerance', 'A tolerance goes')
    if (question.length !== undefined) goesWith('text', 'length', 'A length in words goes')
    if (question.camps !== undefined) goesWith('text', 'camps', 'Camps by intent go')
  })
export type Question = z.output<typeof questionSchema>

/**
 * A question when it is asked. Logs and transcripts may hold one whose options look alike: they are read all the same, or one
 * such session would make its whole backup unreadable.
 */
export const askedQuestionSchema = questionSchema.superRefine(({ options }, context) => {
  const first = new Map<string, string>()
  for (const option of options) {
    const other = first.get(optionKey(option))
    const message = `A reply couldn't tell two options apart: "${other?.slice(0, 100)}" and "${option.slice(0, 100)}".`
    if (other !== undefined) context.addIssue({ code: 'custom', message, path: ['options'] })
    first.set(optionKey(option), option)
  }
})

/** What "none" and its like refer to. */
const ofTheOthers =
  /^(none|neither|all|both|any|either) of (?:the (?:above|options|others|two|three)|these|those|them)$/u
/** Another normal form would make 2⁵ and 25 one option, and ½ and 1/2. */
const notRaised = /[^²³¹⁰-₟¼-¾⅐-↉]+/gu

/**
 * Two options with the same key are one option, when a question is asked and when a reply is read. Case, spacing, quotation marks,
 * emphasis and the marks of a sentence don't count; signs inside and beside digits do, as in C#, 1:2 and 5!.
 */
export const optionKey = (option: string): string => {
  const plain = option
    .replace(notRaised, part => normalForm(part, 'NFKC'))
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{Cf}"“”„«»「」『』`]/gu, '')
    .replace(/[‘’‚ʼ]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
  const words = unwrapped(trimmedEnd(plain, '. '))
    .replace(/(?<=(?<!\p{L})\p{L})\.(?=\p{L}(?!\p{L}))/gu, '')
    .replace(/[.…。।](?=\s|$)|(?<!\d)[,;:、](?!\d)|[,;:](?=\s|$)/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=%)/g, '')
  const whole = trimmedEnd(words.trim(), '. ')
  const calm = trimmedEnd(whole, '!? ')
  const bare = /[\p{L}\p{M}]{2}$/u.test(calm.slice(-4)) ? calm : whole
  return bare.replace(ofTheOthers, '$1') || option.trim().toLowerCase()
}

const wrappings: Readonly<Record<string, string>> = { '*': '*', _: '_', "'": "'", '(': ')', '[': ']' }

/** Without emphasis, quotation marks and brackets around the whole. */
const unwrapped = (text: string): string => {
  let [start, end] = [0, text.length]
  while (end - start > 2 && wrappings[text[start]!] === text[end - 1]) {
    start++
    end--
  }
  return text.slice(start, end).trim()
}

/** About how many words a text should have. */
export const wordsFor = ({ length }: Pick<Question, 'length'>): number => length ?? textWords.usual

// picture: Pictures among the exhibits: they have no text, and only some models see them.

export const pictureMedia = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** Bytes of one picture: as base64 it has to stay below the 5 MB that some makers take. */
export const largestPicture = 3_750_000
/** Pixels of a side. Makers refuse more. */
export const longestSide = 8_000
export const mostPictures = 20
/** Bytes of all pictures together: a request of more than 20 MB is refused by some makers. */
export const mostPictureBytes = 12_000_000

/** An exhibit that is a picture, with its number. */
export interface Picture {
  /** From 1. */
  readonly exhibit: number
  readonly name: string
  readonly media: string
  readonly sha256: string | undefined
  readonly width: number
  readonly height: number
}

export const isPicture = ({ width, height }: Pick<Attachment, 'width' | 'height'>): boolean =>
  width !== undefined && height !== undefined

export const picturesIn = (attachments: readonly Attachment[]): Picture[] =>
  attachments.flatMap(({ name, media = '', sha256, width, height }, index) =>
    width === undefined || height === undefined
      ? []
      : [{ exhibit: index + 1, name, media, sha256, width, height }],
  )

/** Makers shrink large pictures, and none counts fewer tokens for a small one. */
const tokenRange = { least: 85, most: 1_600 } as const
/** Pixels for one token. */
const pixelsPerToken = 750

/** Roughly: makers count pixels or tiles, each in its own way. */
export const pictureTokens = ({ width, height }: Pick<Picture, 'width' | 'height'>): number =>
  Math.min(tokenRange.most, Math.max(tokenRange.least, Math.ceil((width * height) / pixelsPerToken)))

/** What a call may be charged for one picture, for a budget that must not be exceeded. */
export const mostPictureTokens = 6_000

// source: Sources: web pages that answers may rely on. What a search says of them is a stranger's text, so all of it is bounded.

/** Off: nobody searches. Shared: one search for all seats. Native: each seat with its maker's own tool. */
export const searchModes = ['off', 'shared', 'native'] as const
export type SearchMode = (typeof searchModes)[number]

export const mostSources = 10
const mostQuotes = 4
const longestQuote = 600
const longestTitle = 300
/** Pages that one answer may name as found. */
export const mostFound = 40

/** http or https, without a name and a password. Anything else must never become a link, nor be fetched. */
export const isWebAddress = (address: string): boolean => {
  if (address.length > longestName || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

const address = z
  .string()
  .max(longestName)
  .refine(isWebAddress, 'An address begins with http:// or https://.')

export const sourceSchema = z.object({
  address,
  title: name,
  /** As the search gives it. Absent: unknown. */
  date: name.optional(),
  quotes: z.array(z.string().max(longestQuote)).max(mostQuotes).readonly(),
  /** Why nobody could look up whether the quotes, which a model wrote, are in the page. */
  unchecked: name.optional(),
})
export type Source = z.infer<typeof sourceSchema>

/** A page that a seat's own search reports. */
export const foundPageSchema = z.object({ address, title: name.optional() })
export type FoundPage = z.infer<typeof foundPageSchema>

/** On one line, without characters that change how a line is shown, and cut before anything else reads it. */
const line = (value: unknown, longest: number): string =>
  typeof value === 'string'
    ? value
        .slice(0, 4 * longest)
        .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, longest)
    : ''

const addressIn = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : ''
  return isWebAddress(text) ? new URL(text).href.slice(0, longestName) : undefined
}

/** A source as a search or a model tells it, before it is checked. */
export interface RawSource {
  readonly address?: unknown
  readonly title?: unknown
  readonly date?: unknown
  readonly quotes?: unknown
}

const sourceFrom = (raw: RawSource): Source[] => {
  const found = addressIn(raw.address)
  if (found === undefined) return []
  const quotes = (Array.isArray(raw.quotes) ? raw.quotes : [])
    .slice(0, mostQuotes)
    .map(one => line(one, longestQuote))
    .filter(quote => quote !== '')
  const date = line(raw.date, 40)
  return [
    {
      address: found,
      title: line(raw.title, longestTitle) || new URL(found).hostname,
      ...(date !== '' && { date }),
      quotes,
    },
  ]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The first ten sources with an address, each once. */
export const sourcesFrom = (raw: unknown): Source[] => {
  const byAddress = new Map<string, Source>()
  for (const one of (Array.isArray(raw) ? raw : [])
    .slice(0, 10 * mostSources)
    .filter(isRecord)
    .flatMap(sourceFrom))
    if (!byAddress.has(one.address)) byAddress.set(one.address, one)
  return [...byAddress.values()].slice(0, mostSources)
}

/** The pages that a stream reports, each once. */
export const foundPages = (
  raw: readonly { readonly address: string; readonly title?: string }[],
): FoundPage[] => {
  const pages = new Map<string, FoundPage>()
  for (const one of raw) {
    const found = addressIn(one.address)
    if (found === undefined || pages.has(found) || pages.size >= mostFound) continue
    const title = line(one.title, longestTitle)
    pages.set(found, { address: found, ...(title !== '' && { title }) })
  }
  return [...pages.values()]
}

const longestQuery = 400

/** The question and nothing else, as one line that every search takes. */
export const queryFor = (question: string): string => {
  const whole = question
    .slice(0, 10 * longestQuery)
    .replace(/\s+/g, ' ')
    .trim()
  if (whole.length <= longestQuery) return whole
  const cut = whole.slice(0, longestQuery + 1)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longestQuery / 2)).slice(0, longestQuery)
}

// citation: Citations: the words of an exhibit or a source that an answer relies on. Code looks them up.

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

const linesOf = (text: string): Lines => {
  const whole = withoutEmphasis(text)
  const [flat, starts, numbers, offsets]: [string[], number[], number[], number[]] = [[], [], [], []]
  let [at, offset] = [0, 0]
  for (const [index, line] of whole.split('\n').entries()) {
    const words = searched(line)
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
  const words = sought(quote.slice(0, longestCited))
  if (words === undefined) return undefined
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

// answer: An answer: what a seat hands in for a round, as the log keeps it.

/** What became of a seat's last answer, in its own word. The move is computed, and only compared with it. */
export const decisions = ['kept', 'conceded', 'narrowed', 'changed'] as const
export type AnswerDecision = (typeof decisions)[number]

/** What brought a seat to concede, narrow or change. */
export const reasons = [
  "a peer's point",
  'the objection',
  'my own error',
  'another reading',
  'other',
] as const
/** Nobody reads a text's question otherwise, and nobody objects to a text. */
export const textReasons = [
  "a peer's point",
  'my own error',
  'other',
] as const satisfies readonly (typeof reasons)[number][]
/** Logs written before the second version of the prompts have these words. */
const earlierDecisions = ['keep', 'change'] as const
const earlierReasons = ['error found', 'new evidence', 'reinterpretation'] as const
export type Reason = (typeof reasons | typeof earlierReasons)[number]

/** How a peer's point stands, as a seat judges it. */
export const judgements = [
  'holds',
  'holds in part',
  'beside the point',
  'does not hold',
  'cannot be checked',
] as const
/** How a passage of a peer's text does its work. */
export const textJudgements = ['works', 'nearly works', 'does not work'] as const
/** A text is kept or rewritten: there is nothing to concede or to narrow. */
export const textDecisions = ['kept', 'changed'] as const satisfies readonly AnswerDecision[]
export type Judgement = (typeof judgements | typeof textJudgements)[number]

/** A seat saying whose words changed its mind. Only a credit that checks out counts. */
export const creditSchema = z.object({
  seat: name,
  quote: text,
  /** Whether the quoted words are in that peer's answer. */
  verified: z.boolean(),
})
export type Credit = z.infer<typeof creditSchema>

/** What a seat says of a peer's words in an open round, before it answers again. */
export const pointSchema = z.object({
  ...creditSchema.shape,
  judgement: z.enum([...judgements, ...textJudgements]),
  /** It is one of those that made the seat concede, narrow or change. */
  moved: z.literal(true).optional(),
  why: text,
})
export type Point = z.infer<typeof pointSchema>

/** More points of others than this nobody weighs in one answer. */
export const mostPoints = 12

export const answerSchema = z.object({
  headline: text,
  reasoning: text,
  /** How the seat understands an ambiguous question. */
  reading: text.optional(),
  /** What the seat says of its peers' points. */
  points: z.array(pointSchema).max(mostPoints).optional(),
  /** The words of exhibits that the answer relies on. */
  citations: z.array(citationSchema).max(mostCitations).optional(),
  /** Pages that the seat's own search reported. */
  found: z.array(foundPageSchema).max(mostFound).optional(),
  /** Seats search for themselves here, and the maker of this one has no search tool. */
  unsearched: z.literal(true).optional(),
  /** 0 to 1, or null if the seat gave none. */
  confidence: z.number().min(0).max(1).nullable(),
  choice: text.optional(),
  ranking: z.array(text).max(mostOptions).optional(),
  number: z.number().optional(),
  /** The range that the seat gives around its number. */
  low: z.number().optional(),
  high: z.number().optional(),
  /** What the seat wrote, if the question asks for a text. */
  text: text.optional(),
  wouldChangeMind: text.optional(),
  /** ISO 639-1, as a detector found it; null if the text is too short to know. */
  language: name.nullable(),
  /** The answer is not in the session's language, and asking once more did not help. */
  drifted: z.boolean().optional(),
  decision: z.enum([...decisions, ...earlierDecisions]).optional(),
  reason: z.enum([...reasons, ...earlierReasons]).optional(),
  /** The words that made the seat change, narrow or concede. */
  credit: creditSchema.optional(),
})
export type Answer = z.infer<typeof answerSchema>

/** The seat's own word on its answer, in today's words. */
export const decisionOf = ({ decision }: Pick<Answer, 'decision'>): AnswerDecision | undefined => {
  if (decision === 'keep') return 'kept'
  return decision === 'change' ? 'changed' : decision
}

/** What may end a sentence and says nothing. Question and exclamation marks do. */
const fullStops = '.…。．,;: '

/** A short unit behind a figure, or a word. */
const unitOrWord = /(\p{N} ?\p{L}{1,3}(?![\p{L}\p{M}]))|\p{L}+/gu

/**
 * Equal for two headlines that say the same beyond any doubt: nobody looks at them again, so all else stays, or "5!"
 * and "5", "10²" and "102", "1:2" and "1.2", "5 mW" and "5 MW" would be one camp. Unequal words are compared by a model.
 */
export const headlineKey = (text: string): string => {
  const spaced = normalForm(text, 'NFC').replace(/\s+/g, ' ').trim()
  const words = /\p{N}/u.test(spaced)
    ? spaced.replace(unitOrWord, (letters, unit?: string) => unit ?? letters.toLowerCase())
    : spaced.toLowerCase()
  const bare = trimmedEnd(words, fullStops)
  return bare === '' || /\p{N}$/u.test(bare) ? words : bare
}

/** A text as words that are looked for in another one: without case, spacing and punctuation. */
export const normalised = (text: string): string =>
  normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/!=/g, '≠')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[`^]|(?<=\s|^)-+(?=\s|$)|[^\p{L}\p{M}\p{N}\p{S}%#&@+/\\-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether quoted words are in one of the texts, for many quotes of the same texts. */
export const quotesOf = (texts: readonly string[]): ((quote: string) => boolean) => {
  const flat = texts.map(searched)
  return quote => {
    const words = sought(quote)
    return words !== undefined && flat.some(text => text.includes(words))
  }
}

/** Whether the quoted words are in one of the texts. */
export const quoteStands = (quote: string, texts: readonly string[]): boolean => quotesOf(texts)(quote)

// attachmentWish: An attachment as it is asked for: a text, the bytes of a file, or a file of an earlier session.

/** Bytes of one file, and characters of the base64 that holds them. */
export const largestFile = 20_000_000
const longestData = Math.ceil(largestFile / 3) * 4

export const attachmentWishSchema = z
  .object({
    /** The name of the file. Its ending says what it is, unless the bytes say otherwise. */
    name: z.string(),
    /** The text. Not needed for a file: it is read from the bytes. */
    text: z.string().optional(),
    /** The bytes of a file, as base64: text, Markdown, code, CSV, PDF, Word, Excel, HTML, PNG, JPEG, WebP or GIF. */
    data: z
      .string()
      .max(longestData, `A file has at most ${largestFile / 1_000_000} MB.`)
      .optional(),
    /** Instead of the bytes: the session that has this file already, by its SHA-256. */
    session: z.string().optional(),
    sha256: sha256Schema.optional(),
    media: z.string().optional(),
    places: z.array(placeSchema).readonly().optional(),
    width: attachmentSchema.shape.width,
    height: attachmentSchema.shape.height,
  })
  .refine(
    ({ text, data, session }) => text !== undefined || data !== undefined || session !== undefined,
    'An attachment needs a text, or the bytes of a file as base64 in "data".',
  )
export type AttachmentWish = z.infer<typeof attachmentWishSchema>
