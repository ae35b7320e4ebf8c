/** Hides who is who: names, models and makers of the table's seats in text that other seats will read. */
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

/** Everything that a seat, its model or its maker is called, each in its parts. */
const namesOf = (seat: Seat, withEndpoint: boolean): string[][] => {
  const [provider = '', ...rest] = seat.model.split('/')
  const own = [seat.name, seat.model, rest.join('/'), rest.at(-1) ?? '', seat.maker ?? '']
  return [...own, ...(withEndpoint ? [provider] : []), ...familyNames(seat)]
    .map(name => name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .filter(parts => parts.join('').length > 1)
}

const familyNames = (seat: Seat): string[] =>
  families
    .filter(([pattern]) => pattern.test(`${seat.model} ${seat.name} ${seat.maker ?? ''}`))
    .flatMap(([, names]) => names)

/** If all seats share one endpoint, its name identifies none of them, and may be a word that arguments need. */
const endpointsDiffer = ({ seats }: Masked): boolean =>
  new Set(seats.map(seat => seat.model.split('/')[0])).size > 1

/**
 * Matches a name however it is spaced or hyphenated, and with a version behind it: "Claude Sonnet 4.6",
 * "claude-sonnet-4-6", "Qwen3" for "Qwen".
 */
const patternOf = (parts: readonly string[]): string => {
  const version = /\p{L}$/u.test(parts.at(-1) ?? '') ? '(?:-?\\d+(?:\\.\\d+)*)?' : ''
  return `(?<![\\p{L}\\p{M}\\p{N}])${parts.join('[\\s._/:-]*')}${version}(?![\\p{L}\\p{M}\\p{N}])`
}

export const seatLabel = (seat: Seat): string => `Seat ${seat.alias}`

/**
 * A function that masks a text for the other seats. Names that the question itself uses stay,
 * or "Is Claude better than Gemini?" could not be argued about.
 */
export const maskFor = (session: Masked): Mask => {
  const known = remembered.get(session.seats)
  if (known && known.names === session.names && known.question === session.question) return known.mask
  const mask = buildMask(session)
  remembered.set(session.seats, { names: session.names, question: session.question, mask })
  return mask
}

type Mask = (text: string) => string
/** A table may be asked a second question, or again with names shown: then it needs another mask. */
const remembered = new WeakMap<readonly Seat[], Pick<Session, 'names' | 'question'> & { mask: Mask }>()

const buildMask = (session: Masked): Mask => {
  if (session.names === 'shown') return text => text
  const asked = [
    session.question.text,
    ...session.question.options,
    ...session.question.attachments.map(one => one.text),
  ]
  const lowered = asked.join('\n').toLowerCase()
  const rules = new Map<string, { length: number; seats: Set<Seat> }>()
  const withEndpoints = endpointsDiffer(session)
  const names = session.seats.map(seat => ({ seat, names: namesOf(seat, withEndpoints) }))
  for (const { seat, names: own } of names) {
    for (const parts of own) {
      const pattern = patternOf(parts)
      // Most names are nowhere near the question, and a plain look is cheaper than a pattern.
      const near = lowered.includes(parts[0]!.toLowerCase())
      if (near && asked.some(text => new RegExp(pattern, 'iu').test(text))) continue
      const rule = rules.get(pattern) ?? { length: parts.join('').length, seats: new Set() }
      rules.set(pattern, { ...rule, seats: rule.seats.add(seat) })
    }
  }
  if (rules.size === 0) return text => text
  // Longest first, or "Claude" would leave the rest of "Claude Sonnet 4.6" standing.
  const ordered = [...rules].sort(([, one], [, other]) => other.length - one.length)
  const any = new RegExp(ordered.map(([pattern]) => `(${pattern})`).join('|'), 'giu')
  const labels = ordered.map(([, { seats }]) => (seats.size === 1 ? seatLabel([...seats][0]!) : 'a seat'))
  const mayHold = beginnings(names.flatMap(one => one.names))
  return text =>
    mayHold(text)
      ? text.replace(
          any,
          (...found) => labels[found.slice(1).findIndex(group => group !== undefined)] ?? 'a seat',
        )
      : text
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
