/** How a seat's reply is read. */
import { valueText } from '../wording/values.ts'
import {
  type Answer,
  type AnswerDecision,
  decisions,
  type Judgement,
  judgements,
  mostPoints,
  normalised,
  reasons,
  textJudgements,
} from './answer.ts'
import { numberFrom } from './number.ts'
import type { Question } from './question.ts'

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
