/** How large a session can get. An import can't be larger, or it would cost more than any session that ran here. */
import { z } from 'zod'

export const mostSeats = 200
export const mostRounds = 4

/** The highest index of a round. The built-in protocols stay below it, and so should others. */
export const lastRound = 20
/** More turns or batches than this no protocol has. Places in lists follow from them, so they must be small. */
export const lastTextPlace = 200
/** 200 seats in five rounds take about 10,000 events; the rest is for seats that are asked again. */
export const mostEvents = 20_000
/** Seats or models that something is said of. */
export const mostNames = 1_000
/** Comparisons of headlines in one round, and in one call. */
export const mostChecks = 5_000
export const mostPairs = 200

/** Characters of a text that a model wrote. */
export const longestText = 1_000_000
/** Characters of a name, an id or a code. */
export const longestName = 2_000
/** Tokens, dollars or milliseconds. */
export const largestAmount = 1e12
/** Seconds. A timer takes at most 2^31 - 1 milliseconds: with more, it would fire at once. */
export const longestDeadline = 2_147_483
/** How many times as long as the others a seat may take at most: with more, no seat would ever be too slow. */
export const mostPatience = 100

/** A name, an id or a code, and a text that a model wrote, as events hold them. */
export const boundedName = z.string().max(longestName)
export const boundedText = z.string().max(longestText)
export const boundedByName = <Value extends z.ZodType>(value: Value) =>
  z
    .record(boundedName, value)
    .refine(entries => Object.keys(entries).length <= mostNames, `it has more than ${mostNames} entries`)

// errors: What can go wrong with a model, as data; and the error class for a person's mistake.

/**
 * Why a model gave no usable answer. `message` holds the provider's own words if it had any.
 * A seat whose error is dropped looks like a seat that agreed, so every failure becomes one of these.
 */
export const modelErrorKinds = [
  'wrong-key',
  'logged-out',
  'no-credit',
  'rate-limit',
  'overload',
  'content-filter',
  'context-overflow',
  'unknown-model',
  'bad-request',
  'server-error',
  'network',
  'timeout',
  'empty',
  'cut-off',
  'bad-shape',
  'budget',
  'cancelled',
] as const
export type ModelErrorKind = (typeof modelErrorKinds)[number]

export const modelErrorSchema = z.object({
  kind: z.enum(modelErrorKinds),
  message: z.string().max(longestText),
  status: z.number().int().min(0).max(999).optional(),
  /** The environment variable that holds the key that was refused. */
  variable: z.string().max(longestText).optional(),
})
export type ModelError = z.infer<typeof modelErrorSchema>

interface Wording {
  /** A few words for a verdict line: "Mistral Medium 3.1 was silent (timed out)". A transcript writes and reads them. */
  readonly short: string
  /** What the person can do about it, whatever they use; each face may add its own way. */
  readonly advice: string
  /** Whether asking again could help. */
  readonly retry: boolean
  /** The model wasn't reached at all: nobody can, before a person changes something. */
  readonly unreached?: true
}

const wordings: Record<ModelErrorKind, Wording> = {
  'wrong-key': {
    short: 'wrong key',
    advice: 'Check the API key of this provider.',
    retry: false,
    unreached: true,
  },
  'logged-out': {
    short: 'not logged in',
    advice: 'Log in to this agent in a terminal, and ask again.',
    retry: false,
    unreached: true,
  },
  'no-credit': {
    short: 'no credit',
    advice: 'Top up the account, or seat another model.',
    retry: false,
    unreached: true,
  },
  'rate-limit': {
    short: 'rate limited',
    advice: 'Wait, lower the concurrency of this provider, or seat fewer of its models.',
    retry: true,
  },
  overload: { short: 'overloaded', advice: 'Try again later, or seat another model.', retry: true },
  'content-filter': {
    short: 'filtered',
    advice: 'Rephrase the question, or seat another model.',
    retry: false,
  },
  'context-overflow': {
    short: 'question too long for it',
    advice: 'Shorten the question or its attachments, or seat a model with a larger context.',
    retry: false,
  },
  'unknown-model': {
    short: 'unknown model',
    advice: 'Check the name of the model.',
    retry: false,
    unreached: true,
  },
  'bad-request': { short: 'request refused', advice: "Read the provider's message.", retry: false },
  'server-error': {
    short: 'server error',
    advice: "Try again later: the fault is on the provider's side.",
    retry: true,
  },
  network: {
    short: 'connection failed',
    advice: 'Check that the endpoint is running and can be reached.',
    retry: true,
    unreached: true,
  },
  timeout: { short: 'timed out', advice: 'Give it more time, or seat a faster model.', retry: false },
  empty: { short: 'empty reply', advice: 'Try again, or seat another model.', retry: true },
  'cut-off': {
    short: 'cut off',
    advice: 'The reply hit its length limit. Ask for less, or seat another model.',
    retry: false,
  },
  'bad-shape': {
    short: 'unreadable reply',
    advice: "This model doesn't reply in the form it was asked for. Seat another one.",
    retry: false,
  },
  budget: { short: 'no budget left', advice: 'It needs a larger budget.', retry: false },
  cancelled: { short: 'interrupted', advice: 'Ask again.', retry: false },
}

export const wordingOf = (kind: ModelErrorKind): Wording => wordings[kind]

/** Mistakes for which a face has advice of its own, such as a flag of the terminal. Everything else is `invalid`. */
export const usageKinds = [
  'invalid',
  'no-seats',
  'unknown-seat',
  'no-moderator',
  'not-configured',
  'wrong-format',
  'too-long',
  'port-taken',
  'weak-token',
  'no-consent',
  'damaged-model',
  'download-failed',
  'old-archive',
  'already-exists',
  'already-running',
  'disk-full',
  'not-allowed',
] as const
export type UsageKind = (typeof usageKinds)[number]

/** The same symbol in every copy of this package: `instanceof` fails if a program has loaded two of them. */
const marker = Symbol.for('roundtable.error.usage')

/**
 * A person's mistake: bad input, an unknown name, a broken file. Its message says what is wrong in words that fit every
 * face; a face adds its own advice by `kind`, and finds what that advice names (a model, a session) in `data`.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly kind: UsageKind
  readonly data: Readonly<Record<string, string>>
  readonly [marker] = true

  constructor(message: string, kind: UsageKind = 'invalid', data: Readonly<Record<string, string>> = {}) {
    super(message)
    this.kind = kind
    this.data = data
  }

  static isInstance(this: void, error: unknown): error is UsageError {
    return typeof error === 'object' && error !== null && marker in error
  }
}

/** The same mistake with words in front that say where it was found: a file, a question. */
export const located = (place: string, error: unknown): unknown =>
  UsageError.isInstance(error) ? new UsageError(`${place}: ${error.message}`, error.kind, error.data) : error

/** A text as the part of a pattern that matches nothing but it. Node 22 has no `RegExp.escape`. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The letter of a seat by its place at the table: A, B, … Z, AA, AB, … */
export const aliasFor = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : aliasFor(Math.floor(index / 26) - 1) + letter
}

// normalForm: A text in a normal form of Unicode, so that two spellings of one character are equal.

/**
 * Sorting the marks on one letter takes time that grows with the square of their number: 100,000 accents take 15 seconds.
 * No language puts more than a few on one letter, and Unicode's own limit for streams is this one.
 */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

export const normalForm = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(tooManyMarks, '$1').normalize(form)

// flattened: Texts as quotes are compared with them.

/** Signs of which NFKC would make other figures: "10²" isn't 102, "①②" isn't 12, "3½" isn't 31⁄2. */
const raisedOrEnclosed = '\\p{No}ªº\\u02B0-\\u02FF\\u1D2C-\\u1DBF\\u2070-\\u209F\\u3200-\\u33FF'
const ownSign = new RegExp(`[${raisedOrEnclosed}]`, 'u')
const otherSigns = new RegExp(`[^${raisedOrEnclosed}]+`, 'gu')

const withPlainSigns = (text: string): string =>
  ownSign.test(text)
    ? normalForm(text, 'NFC').replace(otherSigns, signs => signs.normalize('NFKC'))
    : normalForm(text, 'NFKC')

/** Ideographs and the like stand beside emphasis without a space. Half of a pair counts as a letter: it may be one. */
const isInWord = (character: string | undefined): boolean =>
  character !== undefined &&
  /[\p{L}\p{M}\p{N}\uD800-\uDFFF]/u.test(character) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character)

/** Stands for a mark that is left out, so that places in the text stay what they are. */
const leftOut = '\u2060'

/** Without the marks of emphasis and code around whole words: in 2*3, 10**6 and snake_case they say something. */
export const withoutEmphasis = (text: string): string => {
  const opened: Record<string, number[]> = { '*': [], _: [], '`': [] }
  const paired = new Set<number>()
  for (const { 0: run, index } of text.matchAll(/\n[^\S\n]*\n|\*+|_+|`+/g)) {
    const open = opened[run.charAt(0)]
    if (!open) {
      for (const marks of Object.values(opened)) marks.length = 0
      continue
    }
    const [before, after] = [text[index - 1], text[index + run.length]]
    const places = Array.from({ length: run.length }, (_, at) => index + at)
    if (open.length > 0 && /\S/.test(before ?? ' ') && !isInWord(after))
      for (const place of places.slice(0, open.length)) paired.add(place).add(open.pop()!)
    else if (/\S/.test(after ?? ' ') && !isInWord(before)) open.push(...places)
  }
  return paired.size === 0 ? text : text.replace(/[*_`]/g, (mark, at) => (paired.has(at) ? leftOut : mark))
}

/** Text without differences in quotation marks, dashes, emphasis and spacing. */
export const flattened = (text: string): string =>
  withPlainSigns(withoutEmphasis(text))
    .replaceAll(leftOut, '')
    .replace(/[“”„«»"‘’‚]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** A figure with its sign, and all that is tied to it: "-5", "1,900", "10^6", "5×10⁶", "2*3", "1:2". */
const wholeFigure = new RegExp(
  `(?:(?<![\\p{L}\\p{M}\\p{N}])-)?\\d+(?:[.,'*/^×:-]{1,3}\\d+|[${raisedOrEnclosed}])*`,
  'gu',
)

const withFiguresClosed = (text: string): string => text.replace(wholeFigure, '\u2063$&\u2063')

/** A text in which quotes are looked up. Figures are closed at both ends, or "is 90" would stand in "is 900". */
export const searched = (text: string): string => withFiguresClosed(flattened(text))

/** Shorter quotes are found in nearly every text, so they prove nothing. */
export const shortestQuote = 8

/** The words of a quote as they stand in a searched text. Undefined if they are too few. */
export const sought = (quote: string, shortest: number = shortestQuote): string | undefined => {
  const words = trimmed(flattened(quote), "'. *_`")
  return words.length < shortest ? undefined : withFiguresClosed(words)
}

// language: Languages by their codes (ISO 639-1).

const names = new Map<string, string>()

/** "French" for `fr`. Kept once found: the table of names is slow to open. */
export const languageName = (code: string): string => {
  const known = names.get(code)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
  names.set(code, name)
  return name
}

// lastPlace: How exactly a number is written.

/** So many digits are always meant: 2000 and 1999 are two years, and 100 isn't 90 rounded. */
const meantDigits = 4

/** The place of a number's last digit: 100 for 384,400, and 0.1 for 384,399.5. */
export const lastPlace = (value: number): number => {
  const [digits = '0', exponent = '0'] = Number(Math.abs(value).toPrecision(15)).toExponential().split('e')
  const written = digits.replace('.', '').length
  return value === 0 ? 0 : 10 ** (Number(exponent) - Math.max(written, meantDigits) + 1)
}

// trimmed: Removes characters from the ends of a text. A pattern such as `/[. ]+$/` would start anew at each dot in the middle,
// which takes time that grows with the square of the text.

export const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

export const trimmed = (text: string, characters: string): string => {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start++
  return trimmedEnd(text.slice(start), characters)
}

// random: Seeded randomness. The core never reads a clock or the system's randomness: both are handed in.

/** A number that two equal texts share (FNV-1a, 32 bits). */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** A repeatable stream of numbers in [0, 1) for a name, such as `seed/round 1/seat s2` (mulberry32). */
export const randomFor = (name: string): (() => number) => {
  let state = hash(name)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A new array in a repeatable order. */
export const shuffled = <T>(items: readonly T[], name: string): T[] => {
  const random = randomFor(name)
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[result[index], result[other]] = [result[other]!, result[index]!]
  }
  return result
}

/**
 * 16 hexadecimal digits: the mark around text of others. It tells a model where the text begins and ends; what keeps a text
 * inside is that it is JSON on one line. It follows from the session alone, so that a prompt is the same when it is made again.
 */
export const nonceFor = (name: string): string => {
  let [one, two, three, four] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a]
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index)
    one = two ^ Math.imul(one ^ code, 597399067)
    two = three ^ Math.imul(two ^ code, 2869860233)
    three = four ^ Math.imul(three ^ code, 951274213)
    four = one ^ Math.imul(four ^ code, 2716044179)
  }
  one = Math.imul(three ^ (one >>> 18), 597399067)
  two = Math.imul(four ^ (two >>> 22), 2869860233)
  return [one, two].map(part => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

/** What somebody with an account is. The table in `src/accounts/permissions.ts` says what each may do. */
export const roles = ['admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

/** "large majority" as "Large majority", for a badge or the beginning of a line. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

// dates: Days and times as people read them: one form for all pages, "Nov 18, 2026" and "20:23".

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const told = (at: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Date(at).toLocaleString('en', options)

/** "Nov 18, 2026", by the clock of the reader. */
export const dayText = (at: string | number): string => told(at, day)

/** For what must read alike everywhere, and for a day without a time, which is another day elsewhere. */
export const utcDayText = (at: string | number): string => told(at, { ...day, timeZone: 'UTC' })

/** "Nov 18, 2026, 20:23" */
export const timeText = (at: string): string => told(at, { ...day, ...clock })

/** "Wed 20:23", for a time within days. */
export const weekdayTime = (at: string): string => told(at, { weekday: 'short', ...clock })

// durations: How long something took, as people read it.

/** 4.2 s, 75 s, 12 min, 5 h, 3 days; from milliseconds. */
export const duration = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 600) return `${Math.round(seconds)} s`
  const hours = seconds / 3_600
  if (hours < 3) return `${Math.round(seconds / 60)} min`
  return hours < 72 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e5) / 10} MB`

// money: What calls cost, as people read it.

/** $0.0012, $0.012, $0.25, $12.50: digits that say something, and never 0 for something. */
export const dollars = (usd: number): string => {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  if (usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`
}

/** A price that nobody knows is not zero. */
export const costText = (usd: number | null): string => (usd === null ? 'unknown' : dollars(usd))

/** What calls cost that a subscription pays, in part or in whole: "subscription", "$0.02 and subscription". */
export const spentCost = (
  { costUsd, subscription }: { readonly costUsd: number | null; readonly subscription?: true | undefined },
  unknown = 'unknown',
): string => {
  if (costUsd === null) return unknown
  if (!subscription) return dollars(costUsd)
  return costUsd === 0 ? 'subscription' : `${dollars(costUsd)} and subscription`
}

/** "$0.80", "$0.075", a price for a million tokens. */
export const perMillion = (usd: number | undefined): string => {
  if (usd === undefined) return 'unknown'
  if (usd === 0) return 'free'
  const short = String(Number(usd.toPrecision(3)))
  return `$${/\.\d{2}/.test(short) ? short : usd.toFixed(2)}`
}

// numbers: Counts and shares as people read them: the same on the terminal, on pages and in exports.

/** 12,345 */
export const wholeNumber = (value: number): string => value.toLocaleString('en-US')

/** "1 seat", "12,345 tokens" */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`

/** "6 models". Digits alone: transcripts write this and read it back. */
export const models = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

/** 213, 1.2k, 34k, 1.2M */
export const shortNumber = (count: number): string => {
  if (count < 1000) return String(Math.round(count))
  if (count < 9_950) return `${(count / 1000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** 62.3, for a column whose head says that it is in percent. */
export const inPercent = (share: number, digits = 1): string => (share * 100).toFixed(digits)

/** 62% */
export const percent = (share: number, digits = 0): string => `${inPercent(share, digits)}%`

/** +1.5, −0.3, 0.0: a difference of two shares in percentage points. */
export const signedPoints = (share: number, digits = 1): string => {
  const size = inPercent(Math.abs(share), digits)
  if (Number(size) === 0) return size
  return share < 0 ? `−${size}` : `+${size}`
}

/** "8–240", or "8" if both ends read the same. */
export const rangeText = (low: string, high: string, between = '–'): string =>
  low === high ? low : `${low}${between}${high}`

/** "Claude, GPT and Gemini" */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** In the place of a seat's id: who writes the report. Its reasons are `points`, its answer is the `headline`. */
export const reportWriter = 'moderator'
