/**
 * The form that a seat is asked to fill in. Its keys are in the order of thought: a model writes them in this order, and
 * an answer that comes before its reasons is a guess that the reasons defend.
 */

import { z } from 'zod'
import { UsageError } from './basics.ts'
import {
  decisions,
  type Format,
  judgements,
  type Question,
  reasons,
  textDecisions,
  textJudgements,
  textReasons,
  wordsFor,
} from './question.ts'

// blanks: Blanks in the texts of a template, such as {{city}}, and what they are filled with. Without a schema: the pages fill them too.

const blank = /\{\{([\p{L}\p{N}_-]{1,40})\}\}/gu

/** The texts of a template that may have blanks. */
export interface BlankTexts {
  readonly question: string
  readonly options?: readonly string[]
  readonly unit?: string
  readonly instruction?: string
}

const textsOf = ({ question, options = [], unit = '', instruction = '' }: BlankTexts): string[] => [
  question,
  ...options,
  unit,
  instruction,
]

/** Their names, in the order in which they come. */
export const blanksOf = (template: BlankTexts): string[] => [
  ...new Set(textsOf(template).flatMap(text => [...text.matchAll(blank)].map(found => found[1]!))),
]

export type Fill = Readonly<Record<string, string>>

/** A blank that is an option by itself stands for a list of options. */
const isList = (option: string): boolean => /^\s*\{\{[\p{L}\p{N}_-]{1,40}\}\}\s*$/u.test(option)

/** Blanks that stand for a list of options. */
export const listBlanks = ({ options = [] }: BlankTexts): string[] =>
  options.filter(isList).flatMap(option => blanksOf({ question: option }))

/** "a|b", "a,b", or one a line. */
const itemsIn = (text: string): string[] => {
  const mark = text.includes('\n') ? '\n' : text.includes('|') ? '|' : ','
  return text
    .split(mark)
    .map(item => item.trim())
    .filter(item => item !== '')
}

const refuse = (blanks: readonly string[], fill: Fill): void => {
  const missing = blanks.filter(name => !Object.hasOwn(fill, name) || fill[name]!.trim() === '')
  if (missing.length > 0)
    throw new UsageError(`The template has blanks that are not filled in: ${missing.join(', ')}.`)
  const unknown = Object.keys(fill).find(name => !blanks.includes(name))
  if (unknown === undefined) return
  const known = blanks.length > 0 ? `It has ${blanks.join(', ')}.` : 'It has none.'
  throw new UsageError(`The template has no blank "${unknown}". ${known}`)
}

/** What is filled in is never looked at for blanks itself. Throws UsageError if one is missing or unknown. */
export const filledIn = <T extends BlankTexts>(template: T, fill: Fill): T => {
  refuse(blanksOf(template), fill)
  const filled = (text: string): string => text.replace(blank, (_, name: string) => fill[name]!.trim())
  const { question, options, unit, instruction } = template
  return {
    ...template,
    question: filled(question),
    ...(options && {
      options: options.flatMap(option => (isList(option) ? itemsIn(filled(option)) : [filled(option)])),
    }),
    ...(unit !== undefined && { unit: filled(unit) }),
    ...(instruction !== undefined && { instruction: filled(instruction) }),
  }
}

// textForm: The form for a text: what it should do, then the text. Nobody can be right with a text, so nobody is asked how sure it is.

/** A model that must fill in every field has no other way to say that it won't. */
const declines = {
  declines: z.string().nullable().describe('Null. Only if you refuse to answer: why.'),
}

type Parts = Record<'before' | 'reasoning' | 'answer', z.ZodRawShape>

const comments = {
  points: z
    .array(
      z.strictObject({
        seat: z.string().describe('The letter of the seat whose text it is.'),
        quote: z.string().describe('Its exact words, copied letter by letter, at most 40 of them.'),
        why: z.string().describe('What it does, and what would be better, in one or two sentences.'),
        judgement: z.enum(textJudgements),
      }),
    )
    .describe('Your comments on the texts of others: the passages that matter most, at most five.'),
}

const revision = {
  decision: z.enum(textDecisions).describe('kept: your text stands word for word. changed: you rewrite it.'),
  reason: z
    .enum(textReasons)
    .nullable()
    .describe(
      "What brought you to it. a peer's point: something that you read in another text. Null if you kept yours.",
    ),
  because: z
    .array(z.number())
    .describe(
      'Which of your comments above gave you the idea, counted from 1, the weightiest first; empty if none did.',
    ),
}

const reading = {
  reading: z
    .string()
    .nullable()
    .describe(
      'Only if the task can be read in more than one way: how you read it, in one line. Otherwise null.',
    ),
}

/** `open`: the seat has written before, and comments on the others. */
export const textParts = (question: Question, open: boolean): Parts => {
  const whole = `The text itself, whole and finished, as its reader should get it: about ${wordsFor(question)} words.`
  return {
    before: open ? comments : reading,
    reasoning: {
      reasoning: z
        .string()
        .describe(
          open
            ? 'What your text gains from what you have read, or why it is good as it is, in a few sentences.'
            : 'What the text should do, and how, in a few sentences.',
        ),
      ...(open && revision),
      ...declines,
    },
    answer: {
      text: open
        ? z.string().nullable().describe(`${whole} Null if you kept yours word for word.`)
        : z.string().describe(whole),
      headline: z.string().describe('What your text says or wants, in one sentence of at most 25 words.'),
    },
  }
}

/** The version of prompts and forms. Every round keeps the one it was asked with. Raise it if they change after a release. */
export const promptVersion = 5

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

const certaintyFields = (question: Voted): z.ZodRawShape => ({
  confidence: z.number().describe(`0 to 1: how sure you are ${ofWhat(question)}.`),
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
    ...declines,
  },
  answer: {
    ...valueFields(question),
    headline,
    ...certaintyFields(question),
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

// kind: What kind of question was asked: whether there is a right answer to it, and what a verdict on it can mean.

export const kinds = ['fact', 'estimate', 'judgement', 'taste', 'text'] as const
export type Kind = (typeof kinds)[number]

/** What each kind means, for the moderator that tells them apart and for people who correct it. */
export const kindWords: Readonly<Record<Kind, string>> = {
  fact: 'one answer is right, and it can be looked up, proved or checked; an order of measured things belongs here',
  estimate: 'a number or a likelihood that could be measured, now or later',
  judgement:
    'what to do or to think: reasons can be better or worse, and no source settles it, or the evidence is mixed',
  taste: 'what one likes or values: nobody can be wrong',
  text: 'something is to be written',
}

/** The format says it for these. */
const kindByFormat: Readonly<Partial<Record<Format, Kind>>> = { number: 'estimate', text: 'text' }

/** Only a text is of the kind text. Throws UsageError for anything else. */
export const checkKind = (kind: Kind, format: Format): Kind => {
  if (kindsFor(format).includes(kind)) return kind
  throw new UsageError(`A question of the format ${format} can't be of the kind ${kind}.`)
}

interface Asked {
  readonly question: { readonly format: Format }
  /** As a person says. */
  readonly kind?: Kind | undefined
  /** As the moderator says; null: it couldn't say. */
  readonly kindFound?: Kind | null | undefined
}

/** A person's word counts before the format's, and that before the moderator's. Undefined: nobody has said it. */
export const kindOf = ({ question, kind, kindFound }: Asked): Kind | undefined =>
  kind ?? kindByFormat[question.format] ?? kindFound ?? undefined

export const kindSources = ['asker', 'format', 'moderator'] as const
export type KindSource = (typeof kindSources)[number]

/** Who says what kind of question it is. Undefined: nobody. */
const saidBy = (session: Asked): KindSource | undefined => {
  if (session.kind) return 'asker'
  if (kindByFormat[session.question.format]) return 'format'
  return session.kindFound ? 'moderator' : undefined
}

/** What kind of question it is, and who says so. Undefined: nobody has said it. */
export const kindSaid = (session: Asked): { readonly kind: Kind; readonly by: KindSource } | undefined => {
  const [kind, by] = [kindOf(session), saidBy(session)]
  return kind && by && { kind, by }
}

/** The kinds that a question of this format can be of. */
export const kindsFor = (format: Format): Kind[] =>
  kinds.filter(kind => (kind === 'text') === (format === 'text'))

/** Whether a fact decides it. If nobody knows the kind, one may. */
export const canBeSettled = (session: Asked): boolean => {
  const kind = kindOf(session)
  return kind === undefined || kind === 'fact' || kind === 'estimate'
}

/** Whether seats vote on which answer is true: what recorded debates say something about. */
export const isVoteOnFact = (session: Asked): boolean =>
  kindOf(session) === 'fact' && ['choice', 'open'].includes(session.question.format)

/** Whether anything can show that an answer was right. If nobody knows the kind, it may. */
export const canBeRight = (session: Asked): boolean => {
  const kind = kindOf(session)
  return kind !== 'taste' && kind !== 'text'
}

// schemaIssue: What a schema found wrong, as a place and words.

/** "rounds[0].answers[2].headline" */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

/** A union's own message says nothing: the issue of the alternative that came furthest does. */
export const deepest = (issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } => {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map(deepest)
  const [best] = inner.sort((one, other) => other.path.length - one.path.length)
  return best ? { path: [...issue.path, ...best.path], message: best.message } : issue
}
