/** Hides who is who: names, models and makers of the table's seats in text that other seats will read. */
import type { Seat } from './event.ts'
import type { Session } from './state.ts'

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

const namesOf = (seat: Seat): string[] => {
  const [provider = '', ...rest] = seat.model.split('/')
  const own = [seat.name, seat.model, rest.join('/'), rest.at(-1) ?? '', provider, seat.maker ?? '']
  const known = families
    .filter(([pattern]) => pattern.test(`${seat.model} ${seat.name}`))
    .flatMap(([, names]) => names)
  return [...own, ...known].filter(name => name.length > 1)
}

/** Matches a name however it is spaced or hyphenated: "Claude Sonnet 4.6", "claude-sonnet-4-6". */
const patternOf = (name: string): string => {
  const parts = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return `(?<![\\p{L}\\p{N}])${parts.join('[\\s._/:-]*')}(?![\\p{L}\\p{N}])`
}

export const seatLabel = (seat: Seat): string => `Seat ${seat.alias}`

/**
 * A function that masks a text for the other seats. Names that the question itself uses stay,
 * or "Is Claude better than Gemini?" could not be argued about.
 */
export const maskFor = (session: Session): Mask => {
  const mask = remembered.get(session.seats) ?? buildMask(session)
  remembered.set(session.seats, mask)
  return mask
}

type Mask = (text: string) => string
const remembered = new WeakMap<readonly Seat[], Mask>()

const buildMask = (session: Session): Mask => {
  if (session.names === 'shown') return text => text
  const asked = [
    session.question.text,
    ...session.question.options,
    ...session.question.attachments.map(one => one.text),
  ]
  const owners = new Map<string, Set<Seat>>()
  for (const seat of session.seats) {
    for (const name of namesOf(seat)) {
      const pattern = patternOf(name)
      if (asked.some(text => new RegExp(pattern, 'iu').test(text))) continue
      owners.set(pattern, (owners.get(pattern) ?? new Set()).add(seat))
    }
  }
  if (owners.size === 0) return text => text
  const rules = [...owners].sort(([one], [other]) => other.length - one.length)
  const any = new RegExp(rules.map(([pattern]) => `(${pattern})`).join('|'), 'giu')
  const labels = rules.map(([, seats]) => (seats.size === 1 ? seatLabel([...seats][0]!) : 'a seat'))
  return text =>
    text.replace(
      any,
      (...found) => labels[found.slice(1).findIndex(group => group !== undefined)] ?? 'a seat',
    )
}

/** Puts the names back where a moderator wrote "Seat B", for people to read. */
export const withNames = (session: Session, text: string): string =>
  text.replace(
    /\b[Ss]eat ([A-Z]{1,2})\b/g,
    (label, alias) => session.seats.find(seat => seat.alias === alias)?.name ?? label,
  )
