/** What a very small model is shown, because it follows an example and not instructions. */

import { z } from 'zod'
import { nonceFor, shuffled } from '../core/basics.ts'
import { excerptTexts } from '../core/excerpts.ts'
import { wordsBefore } from '../core/fold.ts'
import { type Form, type Shape, shapeOf } from '../core/form.ts'
import { maskFor } from '../core/mask.ts'
import { type Answer, isPicture, type Question, wordsFor } from '../core/question.ts'
import { valueText } from '../core/reply.ts'
import { answerBefore, type Session, seatOf } from '../core/session.ts'
import { lettersReadBy } from '../count/letters.ts'
import { cut, onOneLine, picturePart } from './parts.ts'
import type { Prompt } from './protocol.ts'

export interface Example {
  readonly question: string
  /** What follows the question: the options, or the unit. */
  readonly form?: string
  readonly answer: Readonly<Record<string, unknown>> & { readonly reasoning: string }
}

/**
 * Examples about things that people hardly ask a table. The answer is called a conclusion: asked for a headline, a
 * small model writes a newspaper's, and asked for a choice, it takes the first, whatever its reasons (decision 21).
 */
export const examples: Readonly<Record<Question['format'], readonly Example[]>> = {
  open: [
    {
      question: 'What helps people sleep well?',
      answer: {
        reasoning: 'Light and noise keep the brain awake, so a calm room makes it easier to fall asleep.',
        conclusion: 'A dark and quiet room helps most.',
      },
    },
  ],
  choice: [
    {
      question: 'Is smoking good for the heart?',
      form: 'Options: Yes, No, It depends',
      answer: {
        reasoning: 'Smoke harms the blood and the lungs, and it makes the heart weaker.',
        conclusion: 'No',
      },
    },
    {
      question: 'Which is best for the heart?',
      form: 'Options: Sofa, Walking, Smoking',
      answer: {
        reasoning: 'Walking makes the heart stronger, and almost anybody can do it every day.',
        conclusion: 'Walking',
      },
    },
  ],
  ranking: [
    {
      question: 'Which way to travel is the cheapest?',
      form: 'Options: Train, Bicycle, Plane',
      answer: {
        reasoning: 'A bicycle needs no ticket, and a plane ticket costs more than a train ticket.',
        ranking: 'Bicycle > Train > Plane',
      },
    },
  ],
  number: [
    {
      question: 'How long does it take to boil an egg?',
      form: 'Answer in minutes.',
      answer: {
        reasoning: 'A soft egg takes about 6 minutes and a hard one about 10, so 8 is in the middle.',
        number: 8,
      },
    },
  ],
  text: [
    {
      question: 'Write a note for a neighbour who waters the plants.',
      answer: {
        reasoning: 'It should thank first, and say what to do in one line.',
        text: 'Thank you for your help. Please water the plants every other day.',
      },
    },
  ],
}

// smallModelPrompts: What a very small model is asked. It follows an example, not instructions: every rule in its prompt comes back as
// part of its answer, so the schema sets length and form. It reasons before it answers, and isn't asked for anything
// that it would make up, such as a confidence or a quotation.

/** About sixty words together. */
const longestReasoning = 260
const longestHeadline = 110
const longestPeerText = 160
/** What a reply repeats of a question or a headline. The built-in model is given it; other servers write it. */
const longestRepeated = 160
/** Enough for the longest reply in a script with about one token for each character. */
const maxOutputTokens = 600
/** Enough for the longest text and the reasoning before it. */
const maxTextTokens = 1_200
/** Enough for two headlines in a script with three tokens for each character. */
const maxComparisonTokens = 1_000
/** More options than this have too many orders to list them all. */
const mostRanked = 5

/** Characters of a text. A small model loses the thread long before four hundred words. */
const longestText = 700
const longestTextFor = (question: Question): number => Math.min(longestText, wordsFor(question) * 6)

/** The built-in model must write sentences: with a capital letter first and a full stop last, and no questions. */
const written = (format: 'sentence' | 'sentences', least: number, most: number) =>
  z.string().min(least).max(most).meta({ format })

const ordersOf = (options: readonly string[]): string[][] =>
  options.length < 2
    ? [[...options]]
    : options.flatMap(first =>
        ordersOf(options.filter(option => option !== first)).map(rest => [first, ...rest]),
      )

const valueSchema = (question: Question): z.ZodRawShape => {
  const { format, options } = question
  switch (format) {
    case 'text':
      return { text: written('sentences', 25, longestTextFor(question)) }
    case 'open':
      return { conclusion: written('sentence', 10, longestHeadline) }
    case 'choice':
      return { conclusion: z.enum(options) }
    case 'ranking':
      return options.length > mostRanked
        ? { ranking: z.array(z.enum(options)).length(options.length) }
        : { ranking: z.enum(ordersOf(options).map(order => order.join(' > '))) }
    case 'number':
      return { number: z.number() }
    default:
      return format satisfies never
  }
}

/** The reasoning and what follows from it, in the order of the form. */
const inOrder = <R extends object, V extends object>(
  form: Form | undefined,
  reasoning: R,
  value: V,
): R & V => (form === 'answer-first' ? { ...value, ...reasoning } : { ...reasoning, ...value })

/** The reply starts with the question: a small model that repeats it first stays on topic (decision 21). */
const shapeFor = ({ question, form }: Session): Shape =>
  shapeOf(
    'answer',
    z.strictObject({
      question: z.literal(cut(question.text, longestRepeated)),
      ...inOrder(form, { reasoning: written('sentences', 25, longestReasoning) }, valueSchema(question)),
    }),
  )

const smallSystem = (shown: readonly Example[], order: Form | undefined): string =>
  [
    order === 'answer-first'
      ? 'You answer questions: first your answer, then your reasoning.'
      : 'You answer questions: first your reasoning, then your answer.',
    ...shown.flatMap(({ question, form, answer: { reasoning, ...value } }) => [
      `Example question: ${question}`,
      ...(form ? [form] : []),
      `Example answer: ${JSON.stringify({ question, ...inOrder(order, { reasoning }, value) })}`,
    ]),
  ].join('\n')

/** Of the session before, only the question and its answers: a small model repeats what it reads (decision 21). */
const earlierPart = (session: Session): string[] => {
  const last = session.after?.carried.at(-1)
  if (!last) return []
  const said = last.camps?.map(({ headline }) => headline) ?? (last.answer ? [last.answer] : [])
  const items = [last.question, ...said].map(text => JSON.stringify(shortened(text)))
  return [smallFence(session, 'earlier', items, 'Asked before, and what was answered')]
}

/** The question in the form of the example, after its attachments. */
const smallQuestion = (session: Session): string => {
  const { text, format, options, unit, attachments } = session.question
  const { excerpts } = session
  const texts = excerpts ? excerptTexts(attachments, excerpts) : attachments.filter(one => !isPicture(one))
  const attached = texts.map(one => JSON.stringify(one.text))
  return [
    ...(attached.length > 0
      ? [
          smallFence(
            session,
            'attachments',
            attached,
            excerpts ? 'These are parts of what is attached' : 'This is attached',
          ),
        ]
      : []),
    ...earlierPart(session),
    `Question: ${text}`,
    ...(format === 'choice' || format === 'ranking' ? [`Options: ${options.join(', ')}`] : []),
    ...(format === 'number' && unit ? [`Answer in ${unit}.`] : []),
  ].join('\n')
}

/** Text of others between marks that none of them can know, as in `fenced`, but with fewer words around it. */
const smallFence = (
  session: Session,
  fence: string,
  items: readonly string[],
  what = 'Others said',
): string => {
  const mark = nonceFor(`${session.seed} ${fence}`)
  return [`${what}, between the marks ${mark}:`, mark, ...items.map(onOneLine), mark].join('\n')
}

/** Whole sentences, or else whole words. A mark for the cut would come back in the model's answer. */
const shortened = (text: string): string => {
  const few = text.slice(0, longestPeerText)
  if (few === text) return text
  return /^.*[.!?](?=\s)/s.exec(few)?.[0] ?? few.replace(/\s+\S*$/, '')
}

/** An open answer has the form of the reply, so it replaces the example. */
const wordsOf = (session: Session, answer: Answer): string => {
  const mask = maskFor(session)
  const { question } = session
  const reasoning = shortened(mask(answer.reasoning))
  if (question.format === 'text')
    return JSON.stringify({ reasoning, text: shortened(mask(answer.text ?? '')) })
  if (question.format !== 'open')
    return JSON.stringify({ answer: mask(valueText(question, answer)), reasoning })
  const conclusion = mask(answer.headline)
  return JSON.stringify({
    question: cut(question.text, longestRepeated),
    ...inOrder(session.form, { reasoning }, { conclusion }),
  })
}

const othersPart = (session: Session, seat: string, round: number): string[] => {
  const fence = `round ${round} seat ${seat}`
  const others = session.seats.flatMap(peer => {
    const answer = peer.id === seat ? undefined : answerBefore(session, round, peer.id)
    return answer ? [wordsOf(session, answer)] : []
  })
  const few = shuffled(others, `${session.seed} ${fence}`).slice(0, mostPeers)
  return few.length > 0 ? [smallFence(session, fence, few)] : []
}

/** What the asker has added, shortened like the words of others. */
const askerAdded = (session: Session, seat: string, round: number): string[] => {
  const said = wordsBefore(session, round, seat).map(({ words }) =>
    JSON.stringify(shortened(maskFor(session)(words))),
  )
  return said.length > 0
    ? [smallFence(session, `asker round ${round} seat ${seat}`, said, 'The person who asked added')]
    : []
}

/** A large table doesn't fit into a small context. */
const mostPeers = 5

const ownPart = (session: Session, seat: string, round: number): string[] => {
  const own = answerBefore(session, round, seat)
  return own
    ? [`You said: ${wordsOf(session, own)}\nKeep your answer, or change it if another reason is better.`]
    : []
}

/** The last letters of its line, a few sentences of each. */
const lettersPart = (session: Session, seat: string): string[] => {
  const letters = lettersReadBy(session, seat).slice(-mostLetters)
  if (letters.length === 0) return []
  const items = letters.map(({ text }) => JSON.stringify(shortened(text)))
  return [smallFence(session, `letters ${seat}`, items, 'Models before you wrote')]
}
const mostLetters = 3

/** What a small seat is asked in any round of any protocol. */
export const smallPrompt = (session: Session, seat: string, round: number): Prompt => {
  const { question } = session
  const { brief } = seatOf(session, seat)
  const said = round > 0 ? [...othersPart(session, seat, round), ...ownPart(session, seat, round)] : []
  const read = round === 0 ? lettersPart(session, seat) : []
  // If there are answers to the question itself, an example only distracts (decision 21).
  const isAnswered = question.format === 'open' && said.length > 0
  return {
    system: smallSystem(isAnswered ? [] : examples[question.format], session.form),
    user: [
      ...read,
      smallQuestion(session),
      ...said,
      ...askerAdded(session, seat, round),
      ...picturePart(session, seat),
      ...(brief ? [brief] : []),
    ],
    shape: shapeFor(session),
    maxOutputTokens: question.format === 'text' ? maxTextTokens : maxOutputTokens,
  }
}

/** Pairs about things that people hardly ask a table; half of them say the same. */
const comparisons: readonly (readonly [string, string, 'yes' | 'no'])[] = [
  ['Tea is best.', 'Coffee is best.', 'no'],
  ['Tea is best.', 'The best drink is tea.', 'yes'],
  ['Dogs are loud.', 'Dogs are not loud.', 'no'],
  ['People should walk more.', 'More walking is what people should do.', 'yes'],
  ['A pond needs plants.', 'A pond needs fish.', 'no'],
  ['It rains a lot here.', 'There is much rain here.', 'yes'],
]

/**
 * A small moderator is asked only one thing: whether two headlines say the same. They are only in the form of its reply,
 * so it has to write both before it says yes or no. If it only reads them, it guesses (decision 21).
 */
export const smallCheck = ({ text }: Question, headlines: readonly [string, string]): Prompt => {
  const [first, second] = headlines.map(headline => cut(headline, longestRepeated)) as [string, string]
  return {
    system: [
      'You compare two answers to a question.',
      ...comparisons.map(([one, other, same]) => JSON.stringify({ first: one, second: other, same })),
    ].join('\n'),
    user: [`Question: ${text}\nDo they say the same?`],
    shape: shapeOf(
      'same',
      z.strictObject({ first: z.literal(first), second: z.literal(second), same: z.enum(['yes', 'no']) }),
    ),
    maxOutputTokens: maxComparisonTokens,
  }
}
