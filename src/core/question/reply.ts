/** The form that a seat is asked to reply in, and how its reply is parsed. */
import { z } from 'zod'
import { valueText } from '../wording/values.ts'
import { type Answer, normalised, reasons } from './answer.ts'
import { numberFrom } from './number.ts'
import type { Question } from './question.ts'

/** A JSON schema with a name, as providers want it. */
export interface Shape {
  readonly name: string
  readonly json: Readonly<Record<string, unknown>>
}

export const shapeOf = (name: string, schema: z.ZodType): Shape => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema)
  return { name, json }
}

const valueSchema = (question: Question): z.ZodRawShape => {
  switch (question.format) {
    case 'open':
      return {}
    case 'choice':
      return { choice: z.enum(question.options).describe('One of the options, word for word.') }
    case 'ranking':
      return { ranking: z.array(z.enum(question.options)).describe('All options, best first, each once.') }
    case 'number':
      return {
        number: z.number().describe(question.unit ? `In ${question.unit}; digits only.` : 'Digits only.'),
      }
    default:
      return question.format satisfies never
  }
}

/** Keys in the order in which a seat writes them: a watcher sees the headline first. */
const shapeFor = (question: Question, open: boolean): Shape =>
  shapeOf(
    'answer',
    z.strictObject({
      headline: z.string().describe('Your answer in one sentence that can stand alone.'),
      ...valueSchema(question),
      reasoning: z.string().describe('Why, in Markdown.'),
      confidence: z.number().describe('0 to 1: how likely it is that your answer is right.'),
      ...(question.format === 'choice' &&
        !open && {
          expected: z.number().describe('0 to 1: for how large a part of the others you expect your choice.'),
        }),
      wouldChangeMind: z.string().describe('What would change your mind, in one sentence.'),
      language: z.string().describe('The language you wrote in, as a code such as en.'),
      ...(open && {
        decision: z.enum(['keep', 'change']).describe('Whether your answer changed since your last one.'),
        reason: z.enum(reasons).nullable().describe('Why it changed; null if you keep it.'),
        peer: z.string().nullable().describe('The letter of the seat whose words changed it; null if none.'),
        quote: z.string().nullable().describe('The exact words of that seat that changed it; null if none.'),
      }),
    }),
  )

/** By what they depend on: the same for every seat of a round and for many sessions, and dear to make. */
const remembered = new Map<string, Shape>()
const mostRemembered = 200

export const replyShape = (question: Question, open: boolean): Shape => {
  const key = JSON.stringify([question.format, question.options, question.unit, open])
  const shape = remembered.get(key) ?? shapeFor(question, open)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, shape)
  return shape
}

export type ParsedReply =
  | {
      readonly ok: true
      readonly answer: Omit<Answer, 'language'>
      readonly peer?: string
      readonly quote?: string
    }
  | { readonly ok: false; readonly problem: string }

/** A headline is one sentence, and others are shown all of it. */
const longestHeadline = 2_000

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

type Value = Pick<Answer, 'choice' | 'ranking' | 'number'>

const valueFrom = (raw: Record<string, unknown>, question: Question): Value | { problem: string } => {
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
      return number === undefined ? { problem: `number is not a number: ${show(raw.number)}` } : { number }
    }
    default:
      return question.format satisfies never
  }
}

/** A closed answer without a headline is its own headline. */
const valueWords = (value: Value, question: Question): string | undefined =>
  question.format === 'open'
    ? undefined
    : valueText(question, { headline: '', reasoning: '', confidence: null, language: null, ...value })

const show = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 200)

/** Reads a reply leniently: what can only mean one thing is read as that; anything else is a problem. */
export const readReply = (raw: unknown, question: Question, open: boolean): ParsedReply => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, problem: 'not a JSON object' }
  const fields = raw as Record<string, unknown>
  const value = valueFrom(fields, question)
  if ('problem' in value) return { ok: false, problem: value.problem }
  const headline = text(fields.headline) ?? valueWords(value, question) ?? text(fields.conclusion)
  if (headline === undefined) return { ok: false, problem: 'headline is missing' }
  if (headline.length > longestHeadline)
    return { ok: false, problem: `headline is longer than ${longestHeadline} characters` }
  const decision = fields.decision === 'keep' || fields.decision === 'change' ? fields.decision : undefined
  const reason = reasons.find(one => one === fields.reason)
  const expected = question.format === 'choice' && !open ? confidenceFrom(fields.expected) : null
  return {
    ok: true,
    answer: {
      headline,
      reasoning: typeof fields.reasoning === 'string' ? fields.reasoning : '',
      confidence: confidenceFrom(fields.confidence),
      ...(expected !== null && { expected }),
      ...value,
      ...(text(fields.wouldChangeMind) !== undefined && { wouldChangeMind: text(fields.wouldChangeMind) }),
      ...(open && decision && { decision }),
      ...(open && decision !== 'keep' && reason && { reason }),
    },
    ...(open && { peer: text(fields.peer), quote: text(fields.quote) }),
  }
}
