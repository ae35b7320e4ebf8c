/** How a seat's reply is read. */
import { flattened, normalForm, shortestQuote, trimmed } from './basics.ts'
import { readEstimate, westernDigits } from './number.ts'
import {
  type Answer,
  type AnswerDecision,
  type Citable,
  decisions,
  isPicture,
  isWebAddress,
  type Judgement,
  judgements,
  longestCited,
  mostPoints,
  optionKey,
  type Question,
  reasons,
  textJudgements,
} from './question.ts'
import { isRefusal } from './refusal.ts'

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
  /** The words with which the seat declines. */
  | { readonly ok: false; readonly declines: string }

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

const label = /^\(?(?:option\s+|#)?(\p{L}|\p{Nd}{1,3})(?:\)[.:]?|[.:、]|$)\s*(.*)$/isu

/**
 * The option that a model means by "Yes", "yes.", "1", "B", "1. Yes", "Option 2", "B) No", or by the words before a gloss. A digit or
 * a letter is a place on the list only if no option could be meant: of "Plan B" and "Plan A", "A" is the second.
 */
export const optionFrom = (value: unknown, options: readonly string[]): string | undefined => {
  const said = typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(value)
  if (said === undefined || said.length > longestChoice) return undefined
  const bare = trimmed(said, '*_`"“”„«»「」 ')
  const [, place, words = ''] = label.exec(bare) ?? []
  const named =
    options.find(option => option === said) ??
    only(options, option => optionKey(option) === optionKey(said)) ??
    only(options, option => words !== '' && optionKey(option) === optionKey(words)) ??
    only(
      options,
      option => glossed.test(option) && optionKey(option.split(glossed, 1)[0]!) === optionKey(said),
    )
  if (named !== undefined || place === undefined || words !== '') return named
  return optionAt(normalForm(westernDigits(place), 'NFKC').toUpperCase(), options)
}

/** No option that is asked for is longer, nor is a label in front of it. */
const longestChoice = 10_100

/** Where a gloss begins: "MIT (permissive)", "GPL: copyleft", "Go — simple". */
const glossed = /\s*\(|:\s|\s[–—-]\s/u

const only = (options: readonly string[], fits: (option: string) => boolean): string | undefined => {
  const [first, second] = options.filter(fits)
  return second === undefined ? first : undefined
}

/** By its place, or by the letter or number that it has and no other. */
const optionAt = (place: string, options: readonly string[]): string | undefined => {
  const isNumber = /^\d+$/.test(place)
  const marks = options.map(option => (isNumber ? numbersIn(option) : lettersIn(option)))
  if (marks.every(own => own.length === 0))
    return options[isNumber ? Number(place) - 1 : /^[A-Z]$/.test(place) ? place.charCodeAt(0) - 65 : -1]
  return only(options, option => marks[options.indexOf(option)]!.includes(place))
}

const numbersIn = (option: string): string[] => westernDigits(option).match(/\d+(?:[.,]\d+)*/g) ?? []

/** Letters that stand alone. An article, as in "A new house", is one too, though nobody calls the house by it. */
const lettersIn = (option: string): string[] =>
  [...option.matchAll(/(?<![\p{L}\p{N}'’])(\p{Lu}[#+*]*|^\p{L}$)(?![\p{L}\p{N}'’])(\s\p{Ll})?/gu)].map(
    ([, letter = '', article]) => (article === undefined ? letter.toUpperCase() : ''),
  )

/** All options in order, as a list or in one text: "A > B > C", "A, B, C", a numbered list. Undefined unless each is there once. */
export const rankingFrom = (value: unknown, options: readonly string[]): string[] | undefined => {
  const whole = Array.isArray(value) && value.length === 1 ? value[0] : value
  const ways: readonly (readonly unknown[])[] = Array.isArray(whole)
    ? [whole]
    : typeof whole === 'string' && whole.length <= longestChoice * options.length
      ? rankingMarks.map(mark => whole.split(mark).filter(item => item.trim() !== ''))
      : []
  for (const items of ways) {
    if (items.length !== options.length) continue
    const found = items.map(item =>
      optionFrom(typeof item === 'string' ? item.replace(bullet, '') : item, options),
    )
    const ranking = [...new Set(found.filter(option => option !== undefined))]
    if (ranking.length === options.length) return ranking
  }
  return undefined
}

const bullet = /^\s*[-*•]\s+/
/** What stands between the items, the marks that options hardly contain first. */
const rankingMarks = [
  /\n/,
  />+/,
  /→|≻|➔|➜/,
  /[;；]/,
  /\|/,
  /[,，]/,
  /、(?!\d)(?<!\d、)/,
  /(?:^|[\s,])\(?\d{1,2}[.)]\s/,
]

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
      const ranking = rankingFrom(raw.ranking, question.options)
      return ranking
        ? { ranking }
        : { problem: `ranking does not hold every option once: ${show(raw.ranking)}` }
    }
    case 'number': {
      const { number, low, high } = raw
      return readEstimate({ number, low, high }, question)
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

/** What models write into the field if they don't decline. */
const noDecline =
  /^(?:no|none|null|nil|false|n\/?a|not applicable|nothing|undefined|-+|—|i (?:do not|don['’]t) decline|nein|non|nee|нет|无|なし|없음)[.!]?$/iu

const declinesFrom = (raw: Record<string, unknown>): string | undefined => {
  const said = text(raw.declines)
  if (raw.declines === true) return text(raw.headline) ?? text(raw.reasoning) ?? 'It declined to answer.'
  return said === undefined || noDecline.test(said) ? undefined : said
}

/**
 * Reads a reply leniently: what can only mean one thing is read as that; anything else is a problem.
 * `before`: the seat's last answer, of which it may keep the text without writing it again.
 */
export const readReply = (raw: unknown, question: Question, open: boolean, before?: Answer): ParsedReply => {
  if (!isObject(raw)) return { ok: false, problem: 'not a JSON object' }
  const declines = declinesFrom(raw)
  if (declines !== undefined) return { ok: false, declines }
  const value = valueFrom(raw, question, before)
  if ('problem' in value) return { ok: false, problem: value.problem }
  const headline = text(raw.headline) ?? valueWords(value, question) ?? text(raw.conclusion)
  if (headline === undefined) return { ok: false, problem: 'headline is missing' }
  if (headline.length > longestHeadline)
    return { ok: false, problem: `headline is longer than ${longestHeadline} characters` }
  // The value of a closed answer counts, whatever its words are.
  if (question.format === 'open' && isRefusal(headline)) return { ok: false, declines: headline }
  const { said, ...change } = open ? changeFrom(raw) : { said: {}, points: [] }
  return {
    ok: true,
    answer: {
      headline,
      reasoning: typeof raw.reasoning === 'string' ? raw.reasoning : '',
      ...(text(raw.reading) !== undefined && { reading: text(raw.reading) }),
      confidence: question.format === 'text' ? null : confidenceFrom(raw.confidence),
      ...value,
      ...(text(raw.wouldChangeMind) !== undefined && { wouldChangeMind: text(raw.wouldChangeMind) }),
      ...said,
    },
    ...change,
  }
}
