/** Hides who is who: names, models and makers of the table's seats in text that other seats will read. */
import { literal } from './basics.ts'
import type { Seat } from './opening.ts'
import type { Session } from './session.ts'

/** What a mask goes by. */
type Masked = Pick<Session, 'seats' | 'names' | 'question'>

/** Families of models, and what they call themselves and their makers. */
const families: readonly (readonly [RegExp, readonly string[]])[] = [
  [/claude/i, ['Claude', 'Anthropic']],
  [/gpt|openai|(^|\/)o\d/i, ['ChatGPT', 'GPT', 'OpenAI']],
  [/gemini|gemma|google/i, ['Gemini', 'Gemma', 'DeepMind', 'Google']],
  [/grok|xai/i, ['Grok', 'xAI']],
  [/mistral|mixtral|ministral/i, ['Mistral AI', 'Mistral', 'Mixtral', 'Ministral']],
  [/qwen|alibaba/i, ['Qwen', 'Tongyi', 'Alibaba']],
  [/deepseek/i, ['DeepSeek']],
  [/kimi|moonshot/i, ['Kimi', 'Moonshot AI', 'Moonshot']],
  [/glm|zhipu|z-?ai/i, ['ChatGLM', 'GLM', 'Zhipu AI', 'Zhipu', 'Z.ai']],
  [/llama|meta-/i, ['Llama', 'Meta AI']],
  [/command-|cohere/i, ['Cohere']],
]

const familyNames = ({ model, name, maker = '', person }: Seat): string[] =>
  person
    ? []
    : families.filter(([pattern]) => pattern.test(`${model} ${name} ${maker}`)).flatMap(([, names]) => names)

const partsOf = (name: string): string[] => name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const squeezed = (name: string): string => partsOf(name).join('').toLowerCase()

/** Names that say which model it is, wherever they stand: "Claude Sonnet 4.6", and not "home", "Ada" or "sonar". */
const fullNames = (seat: Seat): string[] => {
  const [provider = '', ...rest] = seat.model.split('/')
  const isOfModel =
    squeezed(seat.model).includes(squeezed(seat.name)) ||
    familyNames(seat).some(family => squeezed(seat.name).includes(squeezed(family)))
  const own = seat.person ? [] : [rest.join('/'), rest.at(-1) ?? '', ...(isOfModel ? [seat.name] : [])]
  const full = own.filter(name => {
    const parts = partsOf(name)
    return parts.length > 1 || (squeezed(name).length > 2 && /\p{L}/u.test(name) && /\p{N}/u.test(name))
  })
  return [
    ...full.map(name => patternOf(partsOf(name))),
    ...full.map(name => `${literal(provider)}\\s?/\\s?${patternOf(partsOf(name))}`),
  ]
}

/** What a seat may call itself. In an ordinary sentence these are words like any other. */
const ownNames = (seat: Seat): string[] =>
  [seat.name, seat.model.split('/').at(-1) ?? '', seat.maker ?? '', ...familyNames(seat)]
    .map(partsOf)
    .filter(parts => parts.join('').length > 1)
    .map(patternOf)

/** What stands behind the name of a family: "Claude Sonnet 4". */
const variant =
  '(?:[ -](?:sonnet|opus|haiku|pro|flash|mini|nano|turbo|large|medium|small|max|plus|chat|lite|\\d{1,3}(?:\\.\\d{1,3})?)(?![\\p{L}\\p{N}]))*'

/** What stands before and behind the name of whoever writes: "I, Claude", "I'm Claude", "As Claude,", "as Claude I". */
const selfReferences: readonly (readonly [RegExp, RegExp])[] = [
  [/(?<![\p{L}\p{N}])I(?:,|\s{1,3}am|['’]m)\s{1,3}(?:an?\s)?$/iu, /^/],
  [/(?<![\p{L}\p{N}])I(?:\s{1,3}am|['’]m|\s{1,3}was)\s[^.!?\n]{0,60}\s(?:by|from)\s{1,3}$/iu, /^/],
  [/(?:^|[.!?:;\n"“(])\s{0,3}as\s{1,3}$/iu, /^,/],
  [/(?<![\p{L}\p{N}])as\s{1,3}$/iu, /^,?\s{1,3}I(?![\p{L}\p{N}])/u],
  [/(?<![\p{L}\p{N}])my\s{1,3}name\s{1,3}is\s{1,3}$/iu, /^/],
  [/^\s{0,3}$/, /^\s{1,3}here(?![\p{L}\p{N}])/iu],
]
/** As far as the words before a name matter. The start of a text is known only if fewer stand there. */
const nearby = 90

const isSelf = (before: string, after: string): boolean =>
  selfReferences.some(([says, goesOn]) => says.test(before) && goesOn.test(after))

/**
 * Matches a name however it is spaced or hyphenated, and with a version behind it: "Claude Sonnet 4.6",
 * "claude-sonnet-4-6", "Qwen3" for "Qwen".
 */
const patternOf = (parts: readonly string[]): string => {
  const version = /\p{L}$/u.test(parts.at(-1) ?? '') ? '(?:-?\\d+(?:\\.\\d+)*)?' : ''
  return `${parts.join('[\\s._/:-]*')}${version}`
}

const whole = (names: readonly string[]): string =>
  `(?<![\\p{L}\\p{M}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{M}\\p{N}])`

export const seatLabel = (seat: Seat): string => `Seat ${seat.alias}`

/** Never the letter of a seat: a name in a text may be anybody's, and a wrong letter says something false of a peer. */
const hidden = '[a model]'

/**
 * A function that masks a text for the other seats: full names of models, and what a seat calls itself. All else stays
 * as it was written, or others would judge an argument that nobody made. Names that the question itself uses stay,
 * or "Is Claude better than Gemini?" could not be argued about.
 */
export const maskFor = (session: Masked): Mask => masksFor(session).all

/**
 * For a moderator that compares answers: only what a seat calls itself is hidden. If full names were, "Trust GPT-5.5" and
 * "Trust Grok 4.20" would be one answer.
 */
export const comparedMaskFor = (session: Masked): Mask => masksFor(session).ofThemselves

type Mask = (text: string) => string
interface Masks {
  readonly all: Mask
  readonly ofThemselves: Mask
  /** What `all` hides in a text. */
  placesIn(text: string): { readonly at: number; readonly length: number }[]
}

const masksFor = (session: Masked): Masks => {
  const known = remembered.get(session.seats)
  if (known && known.names === session.names && known.question === session.question) return known.masks
  const masks = buildMasks(session)
  remembered.set(session.seats, { names: session.names, question: session.question, masks })
  return masks
}

/** A table may be asked a second question, or again with names shown: then it needs another mask. */
const remembered = new WeakMap<readonly Seat[], Pick<Session, 'names' | 'question'> & { masks: Masks }>()

const asWritten: Mask = text => text
const nothingHidden: Masks = { all: asWritten, ofThemselves: asWritten, placesIn: () => [] }

const buildMasks = (session: Masked): Masks => {
  if (session.names === 'shown') return nothingHidden
  const { text: question, options, attachments } = session.question
  const asked = [question, ...options, ...attachments.map(one => one.text)].join('\n')
  const unasked = (names: readonly string[]): string[] =>
    [...new Set(names)]
      .filter(name => !new RegExp(whole([name]), 'iu').test(asked))
      // Longest first, or "GPT-5" would leave the rest of "GPT-5 mini" standing.
      .sort((one, other) => other.length - one.length)
  const full = unasked(session.seats.flatMap(fullNames))
  const own = unasked(session.seats.flatMap(ownNames))
  if (full.length + own.length === 0) return nothingHidden
  const nothing = ['(?!)']
  const any = new RegExp(
    `(${whole(full.length > 0 ? full : nothing)})|${whole([`(?:${(own.length > 0 ? own : nothing).join('|')})${variant}`])}`,
    'giu',
  )
  const mayHold = beginnings(session.seats.flatMap(seat => namesOf(seat)))
  const placesIn = (text: string, hidesFull = true) =>
    (mayHold(text) ? [...text.matchAll(any)] : []).flatMap(({ 0: { length }, 1: isFull, index: at }) => {
      const before = text.slice(Math.max(0, at - nearby), at)
      const after = text.slice(at + length, at + length + 9)
      const hides = (isFull && hidesFull) || isSelf(at > nearby ? `…${before}` : before, after)
      return hides ? [{ at, length }] : []
    })
  const mask = (hidesFull: boolean) => (text: string) => {
    let [shown, from] = ['', 0]
    for (const { at, length } of placesIn(text, hidesFull)) {
      shown += text.slice(from, at) + hidden
      from = at + length
    }
    return shown + text.slice(from)
  }
  return { all: mask(true), ofThemselves: mask(false), placesIn }
}

/** The beginning of everything that a seat is called. */
const namesOf = (seat: Seat): string[][] => {
  const [, ...rest] = seat.model.split('/')
  return [
    seat.name,
    seat.model,
    rest.join('/'),
    rest.at(-1) ?? '',
    seat.maker ?? '',
    ...familyNames(seat),
  ].map(partsOf)
}

/**
 * The words as the seat wrote them, if somebody quotes them as they were shown to the others. People read what was
 * written, not what was hidden from peers.
 */
export const unmasked = (session: Masked, quote: string, texts: readonly string[]): string => {
  if (!quote.includes(hidden) || texts.some(text => text.includes(quote))) return quote
  for (const text of texts) {
    const places = masksFor(session).placesIn(text)
    const from = masksFor(session).all(text).indexOf(quote)
    if (from < 0) continue
    const written = (shown: number): number => {
      let longer = 0
      for (const { at, length } of places)
        if (shown >= at + longer + hidden.length) longer += hidden.length - length
      return shown - longer
    }
    return text.slice(written(from), written(from + quote.length))
  }
  return quote
}

/** As the patterns compare letters: "ſ" is an "s" to them. */
const folded = (text: string): string => text.toUpperCase().toLowerCase()

/**
 * Whether a word of a text begins like any name. A name begins a word, so most texts are done with here; trying
 * the hundreds of patterns of a large table at each of their letters would take longer than all the rest.
 */
const beginnings = (names: readonly string[][]): ((text: string) => boolean) => {
  const first = new Set(names.map(([part = '']) => folded(part)))
  const lengths = [...new Set([...first].map(part => part.length))]
  return text =>
    folded(text)
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.some(word => lengths.some(length => first.has(word.slice(0, length)))) ?? false
}

/** Puts the names back for people to read, if a moderator wrote "Seat B" or "Seats A and C". */
export const withNames = (session: Session, text: string): string => {
  const nameOf = (alias: string): string | undefined => session.seats.find(seat => seat.alias === alias)?.name
  return text
    .replace(/\bseats ([A-Z]{1,2}(?:(?:, and |, | and | & |\/)[A-Z]{1,2}\b)+)/giu, (label, list: string) => {
      const known = list.match(/\b[A-Z]{1,2}\b/g)?.every(alias => nameOf(alias) !== undefined)
      return known ? list.replace(/\b[A-Z]{1,2}\b/g, alias => nameOf(alias) ?? alias) : label
    })
    .replace(/\b[Ss]eat ([A-Z]{1,2})\b/g, (label, alias: string) => nameOf(alias) ?? label)
}
