/**
 * The form that a seat is asked to fill in. Its keys are in the order of thought: a model writes them in this order, and
 * an answer that comes before its reasons is a guess that the reasons defend.
 */
import { z } from 'zod'
import { decisions, judgements, reasons } from './answer.ts'
import type { Format, Question } from './question.ts'
import { textParts } from './text-form.ts'

/** The version of prompts and forms. Every round keeps the one it was asked with. Raise it if they change after a release. */
export const promptVersion = 4

export const forms = ['reasoning-first', 'answer-first'] as const
export type Form = (typeof forms)[number]

/** A JSON schema with a name, as providers want it. */
export interface Shape {
  readonly name: string
  readonly json: Readonly<Record<string, unknown>>
}

export const shapeOf = (name: string, schema: z.ZodType): Shape => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema)
  return { name, json }
}

/** Words that a headline may have: it is read in lists and on cards. */
export const headlineWords = 25

const headline = z
  .string()
  .describe(
    `Your answer in one sentence of at most ${headlineWords} words that can stand alone, stance first.`,
  )

/** A text has a form of its own. */
type Voted = Question & { readonly format: Exclude<Format, 'text'> }

const isVoted = (question: Question): question is Voted => question.format !== 'text'

const valueFields = (question: Voted): z.ZodRawShape => {
  switch (question.format) {
    case 'open':
      return {}
    case 'choice':
      return { choice: z.enum(question.options).describe('One of the options, word for word.') }
    case 'ranking':
      return {
        ranking: z
          .array(z.enum(question.options))
          .describe('All options, each once, in the order that the question asks for.'),
      }
    case 'number': {
      const digits = question.unit ? `In ${question.unit}; digits only.` : 'Digits only.'
      const bound = (side: string) =>
        z
          .number()
          .nullable()
          .describe(
            `The ${side} end of the range that you are 90% sure holds the true number; null if you can't say.`,
          )
      return { number: z.number().describe(digits), low: bound('lower'), high: bound('upper') }
    }
    default:
      return question.format satisfies never
  }
}

/** What a seat is sure of, or not. */
const ofWhat = ({ format, tolerance }: Voted): string => {
  if (format === 'ranking') return 'of the whole order'
  if (format === 'number' && tolerance !== undefined)
    return `that the true number is within ${tolerance} of yours`
  if (format === 'number') return 'that your number is close enough'
  if (format === 'open') return 'that no other answer is better'
  return 'of this answer'
}

const certaintyFields = (question: Voted, open: boolean): z.ZodRawShape => ({
  confidence: z.number().describe(`0 to 1: how sure you are ${ofWhat(question)}.`),
  ...(question.format === 'choice' &&
    !open && {
      expected: z
        .number()
        .describe('0 to 1: the share of the other seats that you expect to choose as you do.'),
    }),
  wouldChangeMind: z
    .string()
    .nullable()
    .describe('What would change your mind, in one sentence; null if nothing could.'),
})

const pointFields = {
  points: z
    .array(
      z.strictObject({
        seat: z.string().describe('The letter of the seat.'),
        quote: z
          .string()
          .describe(
            'Its exact words, copied letter by letter, at most 40 of them; Markdown signs may be left out.',
          ),
        why: z.string().describe('Which part of it holds and which does not, in one or two sentences.'),
        judgement: z
          .enum(judgements)
          .describe('As far as it bears on the question. beside the point: true, but it decides nothing.'),
      }),
    )
    .describe(
      'The points of others that matter most, for your answer or against it: one is enough, five are the most.',
    ),
}

const decisionFields = ({ format }: Voted, objection: boolean) => ({
  decision: z
    .enum(decisions)
    .describe(
      `What became of your last answer. kept: it stands as it was. conceded: it stands, though you grant a point against it. narrowed: it stands for fewer cases${format === 'number' ? ' or in a smaller range' : ''} than before, whether or not you also grant a point. changed: you give another answer${format === 'number' ? '; a number that counts as the same is not another answer' : ', or a wider one'}.`,
    ),
  reason: z
    .enum(objection ? reasons : reasons.filter(reason => reason !== 'the objection'))
    .nullable()
    .describe(
      `What weighed most. a peer's point: also if it showed you an error of yours. ${objection ? "the objection: the challenger's. " : ''}my own error: one that nobody pointed out. Null if you kept your answer.`,
    ),
  because: z
    .array(z.number())
    .describe(
      `Which of your points above brought you to it, counted from 1, the weightiest first: those that you grant at least in part, or that weigh though they cannot be checked; empty if none did, or if you kept your answer${objection ? ', as when it was the objection alone' : ''}.`,
    ),
})

const readingField = {
  reading: z
    .string()
    .nullable()
    .describe(
      'Only if another reading of the question would change the answer: how you read it, in one line. Otherwise null.',
    ),
}

/** Only if there are exhibits: a field that nobody needs would change every prompt. */
const citationField = {
  citations: z
    .array(
      z.strictObject({
        exhibit: z.number().describe('The number of the exhibit.'),
        place: z
          .string()
          .nullable()
          .describe(
            'The place beside its text, such as "p. 3" or a sheet, if you like with the line, counted from 1 with its headings ("Noise, line 4", or "line 4" alone in a file without pages); null if you name none, and code finds it.',
          ),
        quote: z
          .string()
          .describe(
            'Its exact words, copied letter by letter, at most 40 of them. They are looked up; spaces, tabs and line breaks count alike.',
          ),
      }),
    )
    .describe(
      'The passages of the exhibits that your answer relies on most, at most six: also those that you cited before, if it still does; empty if it relies on none. In the reasoning, refer to them as [1, p. 3] or [2, Noise, line 4], or [1] without a place.',
    ),
}

/** The same for a seat that may cite pages, too, which its own search found. */
const webCitationField = {
  citations: z
    .array(
      z.strictObject({
        exhibit: z.number().nullable().describe('The number of the exhibit; null for a page of the web.'),
        address: z.string().nullable().describe('The whole address of the page; null for an exhibit.'),
        place: citationField.citations.element.shape.place,
        quote: citationField.citations.element.shape.quote,
      }),
    )
    .describe(
      'The passages of exhibits and of pages of the web that your answer relies on, at most six; empty if it relies on none.',
    ),
}

/** What a seat has behind it when it is asked. */
interface Turn {
  /** It has answered before. */
  readonly open: boolean
  /** It is shown a challenger's objection. */
  readonly objection: boolean
  /** It may cite exhibits, and perhaps pages of the web. */
  readonly citations: boolean | 'web'
}

/** What comes before the reasoning, the reasoning itself, and what follows from it. */
const partsOf = (
  question: Voted,
  { open, objection }: Turn,
): Record<'before' | 'reasoning' | 'answer', z.ZodRawShape> => ({
  before: { ...(open && pointFields), ...readingField },
  reasoning: {
    reasoning: z.string().describe('Why, in Markdown.'),
    ...(open && decisionFields(question, objection)),
  },
  answer: {
    ...valueFields(question),
    headline,
    ...certaintyFields(question, open),
  },
})

const shapeFor = (question: Question, turn: Turn, form: Form): Shape => {
  const { before, answer, ...rest } = isVoted(question)
    ? partsOf(question, turn)
    : textParts(question, turn.open)
  const cites = turn.citations === 'web' ? webCitationField : turn.citations && citationField
  const reasoning = { ...cites, ...rest.reasoning }
  const fields =
    form === 'answer-first' ? { ...answer, ...before, ...reasoning } : { ...before, ...reasoning, ...answer }
  return shapeOf('answer', z.strictObject(fields))
}

/** By what they depend on: the same for every seat of a round and for many sessions, and dear to make. */
const remembered = new Map<string, Shape>()
const mostRemembered = 200

/** What a seat of the session may cite. */
export const citesIn = ({
  citations = false,
  search,
}: {
  readonly citations?: boolean | undefined
  readonly search?: 'shared' | 'native' | undefined
}): boolean | 'web' => (citations && search === 'native' ? 'web' : citations)

/** The form for a question. `open`: the seat has answered before, and says what became of that answer. */
export const replyShape = (
  question: Question,
  open: boolean,
  form: Form = 'reasoning-first',
  objection = false,
  citations: boolean | 'web' = false,
): Shape => {
  const key = JSON.stringify([
    question.format,
    question.options,
    question.unit,
    question.scale,
    question.length,
    open,
    form,
    objection,
    citations,
  ])
  const shape = remembered.get(key) ?? shapeFor(question, { open, objection, citations }, form)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, shape)
  return shape
}
