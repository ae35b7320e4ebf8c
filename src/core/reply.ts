/** How a seat's reply is read. */
import { flattened, shortestQuote, trimmed } from './basics.ts'
import {
  type Answer,
  type AnswerDecision,
  type Citable,
  decisions,
  isPicture,
  isTolerance,
  isWebAddress,
  type Judgement,
  judgements,
  longestCited,
  mostPoints,
  normalised,
  type Question,
  reasons,
  textJudgements,
} from './question.ts'

// number: Reads a number as models write it: 384400, "384,400", "3,5", "384 400 km", "5 million".

/** Spellings of a number without its sign, and what turns each into digits that JavaScript reads. */
const spellings: readonly (readonly [RegExp, (said: string) => string])[] = [
  [/^\d+(\.\d+)?(e[+-]?\d+)?$/i, said => said],
  [/^\d{1,3}(?:[,_\s'’]\d{3})+(\.\d+)?$/, said => said.replace(/[^\d.]/g, '')],
  [/^\d+,\d+$/, said => said.replace(',', '.')],
  [/^\d{1,3}(?:\.\d{3}){2,}(,\d+)?$/, said => said.replaceAll('.', '').replace(',', '.')],
]

/** Nobody writes a number in more characters, and the patterns here take time that grows with the square of the text. */
const longestNumber = 200

const multiples: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  lakh: 1e5,
  million: 1e6,
  mio: 1e6,
  crore: 1e7,
  billion: 1e9,
  bn: 1e9,
  mrd: 1e9,
  trillion: 1e12,
}

/**
 * Undefined if it could mean two things: "2 or 3", "10^6", or a unit other than the one that was
 * asked for, since "384 km" must never be read as 384 m.
 */
export const numberFrom = (value: unknown, unit?: string): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > longestNumber) return undefined
  const said = /^[~≈]?\s*([+−-]?)\s*(\d(?:[\d.,_'’\s]*\d)?(?:e[+-]?\d+)?)(\D*)$/i.exec(value.trim())
  if (!said) return undefined
  const [, sign, digits = '', rest = ''] = said
  const spelling = spellings.find(([pattern]) => pattern.test(digits))
  const multiple = multipleFrom(rest, unit)
  if (!spelling || multiple === undefined) return undefined
  const number = Number(spelling[1](digits)) * multiple
  return sign === '' || sign === '+' ? number : -number
}

/** What stands behind the digits: nothing, the unit, or a word such as "million" with or without it. */
const multipleFrom = (rest: string, unit: string | undefined): number | undefined => {
  const said = normalised(rest)
  if (said === '' || (unit !== undefined && said === normalised(unit))) return 1
  const [first = '', ...others] = said.split(' ')
  const multiple = multiples[first]
  if (multiple !== undefined) {
    const after = multipleFrom(others.join(' '), unit)
    return after === undefined ? undefined : multiple * after
  }
  // A single letter could be a thousand as well as a unit.
  return unit === undefined && /^\p{L}{2,}$/u.test(said) ? 1 : undefined
}

/** A tolerance as people write it: "500", "1,000", "10%". Undefined if it isn't one. */
export const toleranceFrom = (text: string): Question['tolerance'] => {
  const said = text.trim()
  const tolerance = said.endsWith('%') ? said : numberFrom(said)
  return tolerance !== undefined && isTolerance(tolerance) ? tolerance : undefined
}

// ownCitations: What a person cites. They are told what is wrong with it; a model's citation that says nothing is left out.

/** As many as models are asked for. */
export const mostOwnCitations = 6
export const longestPlace = 200

/** Why the words can't be looked up; undefined if they can. */
export const wordsProblem = (words: string): string | undefined => {
  if (words.length > longestCited) return `copy at most ${longestCited} characters of the exact words`
  return trimmed(flattened(words), "'. ").length < shortestQuote
    ? `copy at least ${shortestQuote} characters of the exact words`
    : undefined
}

const exhibitProblem = (exhibit: unknown, { exhibits, sources = [] }: Citable): string | undefined => {
  const count = exhibits.length + sources.length
  if (typeof exhibit !== 'number' || !Number.isInteger(exhibit) || exhibit < 1 || exhibit > count)
    return `its exhibit must be a number from 1 to ${count}`
  const cited = exhibits[exhibit - 1]
  return cited && isPicture(cited) ? `exhibit ${exhibit} is a picture, which has no words to cite` : undefined
}

const problemOf = (one: unknown, citable: Citable): string | undefined => {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return 'it must have an exhibit and a quote'
  const { exhibit, address, place, quote } = one as Readonly<Record<string, unknown>>
  if (typeof quote !== 'string') return wordsProblem('')
  if (place !== undefined && place !== null && (typeof place !== 'string' || place.length > longestPlace))
    return `its place must be a text of at most ${longestPlace} characters`
  const onWeb = citable.web && typeof address === 'string'
  if (onWeb && !isWebAddress(address)) return 'its address must begin with http:// or https://'
  return (onWeb ? undefined : exhibitProblem(exhibit, citable)) ?? wordsProblem(quote)
}

/** What is wrong with the citations of an answer, in words; undefined if nothing is. `citable`: absent if nobody may cite. */
export const citationsProblem = (raw: unknown, citable: Citable | undefined): string | undefined => {
  if (raw === undefined || raw === null) return undefined
  if (!Array.isArray(raw)) return 'citations must be a list'
  if (raw.length === 0) return undefined
  const count = citable ? citable.exhibits.length + (citable.sources?.length ?? 0) : 0
  if (!citable || (count === 0 && !citable.web))
    return 'this question has nothing to cite: leave out citations'
  if (raw.length > mostOwnCitations) return `an answer has at most ${mostOwnCitations} citations`
  for (const [index, one] of raw.entries()) {
    const problem = problemOf(one, citable)
    if (problem !== undefined) return `citation ${index + 1}: ${problem}`
  }
  return undefined
}

// prediction: What a seat expects of the table, as the rule of the surprisingly popular answer needs it.

/**
 * A seat says for how large a part of the table it expects its own answer; the rest is spread evenly. Asking
 * for every option would cost more words than it is worth.
 */
export const predictedShares = (
  options: readonly string[],
  answer: Answer | undefined,
): Map<string, number> | undefined => {
  const { choice, expected } = answer ?? {}
  if (choice === undefined || expected === undefined) return undefined
  const rest = (1 - expected) / Math.max(1, options.length - 1)
  return new Map(options.map(option => [option, option === choice ? expected : rest]))
}

// values: The values of closed answers in words.

/** A number without float noise, so that 0.1 + 0.2 and 0.3 are one camp, and nothing coarser. */
const tidy = (value: number): number => Number(value.toPrecision(15))

export const numberText = (value: number, unit?: string): string => {
  const size = Math.abs(value)
  const plain = size === 0 || (size >= 1e-6 && size < 1e15)
  const digits = plain
    ? tidy(value).toLocaleString('en-US', { maximumSignificantDigits: 15, useGrouping: size >= 10_000 })
    : String(tidy(value))
  return unit ? `${digits} ${unit}` : digits
}

/** "80 to 100 km", or "80 km" if both are the same. */
export const numbersText = (low: number, high: number, unit?: string): string =>
  low === high ? numberText(low, unit) : `${numberText(low)} to ${numberText(high, unit)}`

/** The value of a closed answer in words; two equal texts are one camp. */
export const valueText = (question: Pick<Question, 'format' | 'unit'>, answer: Answer): string => {
  switch (question.format) {
    case 'choice':
      return answer.choice ?? ''
    case 'ranking':
      return (answer.ranking ?? []).join(' > ')
    case 'number':
      return numberText(answer.number ?? Number.NaN, question.unit)
    case 'open':
    case 'text':
      return answer.headline
    default:
      return question.format satisfies never
  }
}

/** A peer's words that a seat quotes, before anybody has looked them up. */
export interface Quoted {
  readonly peer: string
  readonly quote: string
}

/** `moved`: it made the seat concede, narrow or change. */
export interface QuotedPoint extends Quoted {
  readonly moved?: true
  readonly judgement: Judgement
  readonly why: string
}

export type ParsedReply =
  | {
      readonly ok: true
      readonly answer: Omit<Answer, 'language' | 'points' | 'credit'>
      readonly points: readonly QuotedPoint[]
      /** The words that made the seat concede, narrow or change. */
      readonly credit?: Quoted
    }
  | { readonly ok: false; readonly problem: string }

/** A headline is one sentence, and others are shown all of it. */
export const longestHeadline = 2_000

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** Models write 0.8, 80, "80%", "0,8" and "8/10". A bare 5 could be out of ten or a hundred, so it is not read. */
const confidenceFrom = (value: unknown): number | null => {
  const said = /^(\d+(?:[.,]\d+)?)\s*(%|\/\s*(\d+))?$/.exec(String(value ?? '').trim())
  if (!said) return null
  const number = Number(said[1]!.replace(',', '.'))
  const share = said[2] ? number / Number(said[3] ?? 100) : number > 10 ? number / 100 : number
  return share <= 1 ? share : null
}

/** The option that a model means by "Yes", "yes.", "1", "B", "1. Yes", "Option 2" or "B) No". */
export const optionFrom = (value: unknown, options: readonly string[]): string | undefined => {
  const said = typeof value === 'number' ? String(value) : text(value)
  if (said === undefined) return undefined
  const [, place = said, words] =
    /^\(?(?:option\s+)?([A-Za-z]|\d+)(?:[).:]+(?:\s+(.+))?)?$/is.exec(said) ?? []
  const named = options.find(option => option === said) ?? equal(said, options) ?? equal(words, options)
  if (named !== undefined || words !== undefined || options.some(option => /^[\d.,]+$/.test(option)))
    return named
  return /^[A-Za-z]$/.test(place)
    ? options[place.toUpperCase().charCodeAt(0) - 65]
    : options[Number(place) - 1]
}

/** The one option that says the same; undefined if there are two. */
const equal = (said: string | undefined, options: readonly string[]): string | undefined => {
  const same = options.filter(option => said !== undefined && normalised(said) === normalised(option))
  return same.length === 1 ? same[0] : undefined
}

type Value = Pick<Answer, 'choice' | 'ranking' | 'number' | 'low' | 'high' | 'text'>

const valueFrom = (
  raw: Record<string, unknown>,
  question: Question,
  before: Answer | undefined,
): Value | { problem: string } => {
  switch (question.format) {
    case 'open':
      return {}
    case 'choice': {
      const said = raw.choice ?? raw.conclusion
      const choice = optionFrom(said, question.options)
      return choice === undefined ? { problem: `choice is none of the options: ${show(said)}` } : { choice }
    }
    case 'ranking': {
      const said = typeof raw.ranking === 'string' ? raw.ranking.split(' > ') : raw.ranking
      const { length } = question.options
      const isWhole = Array.isArray(said) && said.length === length
      const items = isWhole ? said.map(item => optionFrom(item, question.options)) : []
      const ranking = [...new Set(items.filter(item => item !== undefined))]
      if (ranking.length === length) return { ranking }
      return { problem: `ranking does not hold every option once: ${show(raw.ranking)}` }
    }
    case 'number': {
      const number = numberFrom(raw.number, question.unit)
      if (number === undefined) return { problem: `number is not a number: ${show(raw.number)}` }
      return { number, ...rangeFrom(raw, number, question.unit) }
    }
    case 'text': {
      const isKept = decisionFrom(raw.decision) === 'kept'
      const written = text(raw.text) ?? (isKept ? before?.text : undefined)
      return written === undefined ? { problem: 'text is missing' } : { text: written }
    }
    default:
      return question.format satisfies never
  }
}

/** A range counts only if the number is in it. */
const rangeFrom = (
  raw: Record<string, unknown>,
  number: number,
  unit: string | undefined,
): Pick<Answer, 'low' | 'high'> => {
  const [low, high] = [numberFrom(raw.low, unit), numberFrom(raw.high, unit)]
  return {
    ...(low !== undefined && low <= number && { low }),
    ...(high !== undefined && high >= number && { high }),
  }
}

/** The first sentence of a text, or as much of it as fits on a line. */
const firstWords = (written: string): string => {
  const line = written.replace(/\s+/gu, ' ').slice(0, longestFirstWords)
  return /^.{10,}?[.!?…。](?=\s|$)/u.exec(line)?.[0] ?? line
}
const longestFirstWords = 160

/** A closed answer without a headline is its own headline. */
const valueWords = (value: Value, question: Question): string | undefined =>
  question.format === 'open' || question.format === 'text'
    ? value.text && firstWords(value.text)
    : valueText(question, { headline: '', reasoning: '', confidence: null, language: null, ...value })

const show = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 200)

const quotedFrom = (raw: Record<string, unknown>): Quoted | undefined => {
  const [peer, quote] = [text(raw.peer ?? raw.seat), text(raw.quote)]
  return peer === undefined || quote === undefined ? undefined : { peer, quote }
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** The points that name a seat and quote it, each at its place. Others say nothing that can be looked up. */
const pointsFrom = (raw: unknown): (QuotedPoint | undefined)[] =>
  (Array.isArray(raw) ? raw : []).slice(0, mostPoints).map(one => {
    const quoted = isObject(one) ? quotedFrom(one) : undefined
    if (!quoted) return undefined
    const known = [...judgements, ...textJudgements]
    const judgement = known.find(word => word === one.judgement) ?? 'cannot be checked'
    return { ...quoted, judgement, why: text(one.why) ?? '' }
  })

const decisionFrom = (value: unknown): AnswerDecision | undefined => {
  const said = text(value)?.toLowerCase()
  if (said === 'keep') return 'kept'
  return said === 'change' ? 'changed' : decisions.find(one => one === said)
}

/** Numbers of points, counted from 1. */
const placesFrom = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).slice(0, mostPoints).map(Number)

/** What a seat says about its last answer: what became of it, why, and whose words did it. */
const changeFrom = (fields: Record<string, unknown>) => {
  const points = pointsFrom(fields.points)
  const decision = decisionFrom(fields.decision)
  const moved = decision !== undefined && decision !== 'kept'
  const places = moved ? placesFrom(fields.because ?? fields.point) : []
  const reason = reasons.find(one => one === fields.reason)
  const quoted = places.map(place => points[place - 1]).find(one => one !== undefined) ?? quotedFrom(fields)
  // A peer's words that only helped didn't do it.
  const credit = reason === 'the objection' || reason === 'my own error' ? undefined : quoted
  return {
    said: { ...(decision && { decision }), ...(moved && reason && { reason }) },
    points: points.flatMap((one, index) =>
      one ? [{ ...one, ...(places.includes(index + 1) && { moved: true as const }) }] : [],
    ),
    ...(moved && credit && { credit: { peer: credit.peer, quote: credit.quote } }),
  }
}

/**
 * Reads a reply leniently: what can only mean one thing is read as that; anything else is a problem.
 * `before`: the seat's last answer, of which it may keep the text without writing it again.
 */
export const readReply = (raw: unknown, question: Question, open: boolean, before?: Answer): ParsedReply => {
  if (!isObject(raw)) return { ok: false, problem: 'not a JSON object' }
  const value = valueFrom(raw, question, before)
  if ('problem' in value) return { ok: false, problem: value.problem }
  const headline = text(raw.headline) ?? valueWords(value, question) ?? text(raw.conclusion)
  if (headline === undefined) return { ok: false, problem: 'headline is missing' }
  if (headline.length > longestHeadline)
    return { ok: false, problem: `headline is longer than ${longestHeadline} characters` }
  const expected = question.format === 'choice' && !open ? confidenceFrom(raw.expected) : null
  const { said, ...change } = open ? changeFrom(raw) : { said: {}, points: [] }
  return {
    ok: true,
    answer: {
      headline,
      reasoning: typeof raw.reasoning === 'string' ? raw.reasoning : '',
      ...(text(raw.reading) !== undefined && { reading: text(raw.reading) }),
      confidence: question.format === 'text' ? null : confidenceFrom(raw.confidence),
      ...(expected !== null && { expected }),
      ...value,
      ...(text(raw.wouldChangeMind) !== undefined && { wouldChangeMind: text(raw.wouldChangeMind) }),
      ...said,
    },
    ...change,
  }
}
