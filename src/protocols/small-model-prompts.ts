/**
 * What a very small model is asked. It follows an example, not instructions: every rule that it is told
 * comes back as part of its answer, so length and form are left to the schema. It reasons before it
 * answers, and is asked for nothing that it would make up, such as a confidence or a quotation.
 */
import { z } from 'zod'
import { answerBefore, type Session, seatOf } from '../core/log/state.ts'
import type { Answer } from '../core/question/answer.ts'
import type { Question } from '../core/question/question.ts'
import { type Shape, shapeOf } from '../core/question/reply.ts'
import { nonceFor, shuffled } from '../core/random.ts'
import { maskFor } from '../core/wording/mask.ts'
import { valueText } from '../core/wording/values.ts'
import { cut, onOneLine } from './brief.ts'
import type { Prompt } from './protocol.ts'

/** About sixty words in all. */
const longestReasoning = 260
const longestHeadline = 110
const longestPeerText = 160
/** What a reply repeats of a question or a headline. The house is given it; other servers write it. */
const longestRepeated = 160
/** Enough for the longest reply in a script of which every character is a token or so. */
const maxOutputTokens = 600
/** Enough for two headlines in a script that takes three tokens for a character. */
const maxComparisonTokens = 1_000
/** Rankings of more options than this have too many orders to list. */
const mostRanked = 5

/** The house holds its models to sentences: a capital letter first, a full stop last, and no question. */
const written = (format: 'sentence' | 'sentences', least: number, most: number) =>
  z.string().min(least).max(most).meta({ format })

const ordersOf = (options: readonly string[]): string[][] =>
  options.length < 2
    ? [[...options]]
    : options.flatMap(first =>
        ordersOf(options.filter(option => option !== first)).map(rest => [first, ...rest]),
      )

const valueSchema = ({ format, options }: Question): z.ZodRawShape => {
  switch (format) {
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

/** The reply begins with the question: a small model that has it before its own words keeps to it (0021). */
const shapeFor = (question: Question): Shape =>
  shapeOf(
    'answer',
    z.strictObject({
      question: z.literal(cut(question.text, longestRepeated)),
      reasoning: written('sentences', 25, longestReasoning),
      ...valueSchema(question),
    }),
  )

interface Example {
  readonly question: string
  /** How the question goes on: what can be chosen, or the unit. */
  readonly form?: string
  readonly answer: object
}

/**
 * Examples far from anything that people put to a table. What a small model is asked for is called a conclusion: asked
 * for a headline it writes a newspaper's, and asked for a choice it takes the first, whatever its reasons were (0021).
 */
const examples: Readonly<Record<Question['format'], readonly Example[]>> = {
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
}

const smallSystem = (shown: readonly Example[]): string =>
  [
    'You answer questions: first your reasoning, then your answer.',
    ...shown.flatMap(({ question, form, answer }) => [
      `Example question: ${question}`,
      ...(form ? [form] : []),
      `Example answer: ${JSON.stringify({ question, ...answer })}`,
    ]),
  ].join('\n')

/** The question as in the example; what is attached comes before it. */
const smallQuestion = ({ text, format, options, unit, attachments }: Question): string =>
  [
    ...attachments.map(one => one.text),
    `Question: ${text}`,
    ...(format === 'choice' || format === 'ranking' ? [`Options: ${options.join(', ')}`] : []),
    ...(format === 'number' && unit ? [`Answer in ${unit}.`] : []),
  ].join('\n')

/** Text of others behind a mark that none of them can know, as everywhere, but in fewer words. */
const smallFence = (session: Session, place: string, items: readonly string[]): string => {
  const mark = nonceFor(`${session.seed} ${place}`).slice(0, 6)
  return [`Others said, between the marks ${mark}:`, mark, ...items.map(onOneLine), mark].join('\n')
}

/** Whole sentences, or else words: a mark where a text was cut would come back in the answers to it. */
const shortened = (text: string): string => {
  const few = text.slice(0, longestPeerText)
  if (few === text) return text
  return /^.*[.!?](?=\s)/s.exec(few)?.[0] ?? few.replace(/\s+\S*$/, '')
}

/** An open answer has the form of the reply, and so takes the place of an example. */
const wordsOf = (session: Session, answer: Answer): string => {
  const mask = maskFor(session)
  const { question } = session
  const reasoning = shortened(mask(answer.reasoning))
  return JSON.stringify(
    question.format === 'open'
      ? { question: cut(question.text, longestRepeated), reasoning, conclusion: mask(answer.headline) }
      : { answer: mask(valueText(question, answer)), reasoning },
  )
}

const othersPart = (session: Session, seat: string, round: number): string[] => {
  const place = `round ${round} seat ${seat}`
  const others = session.seats.flatMap(peer => {
    const answer = peer.id === seat ? undefined : answerBefore(session, round, peer.id)
    return answer ? [wordsOf(session, answer)] : []
  })
  const few = shuffled(others, `${session.seed} ${place}`).slice(0, mostPeers)
  return few.length > 0 ? [smallFence(session, place, few)] : []
}
/** A small context holds no large table. */
const mostPeers = 5

const ownPart = (session: Session, seat: string, round: number): string[] => {
  const own = answerBefore(session, round, seat)
  return own
    ? [`You said: ${wordsOf(session, own)}\nKeep your answer, or change it if another reason is better.`]
    : []
}

/** What a small seat is asked in any round of any protocol. */
export const smallPrompt = (session: Session, seat: string, round: number): Prompt => {
  const { question } = session
  const { brief } = seatOf(session, seat)
  const said = round > 0 ? [...othersPart(session, seat, round), ...ownPart(session, seat, round)] : []
  // Beside answers to the question itself, an example only leads away from it (0021).
  const isAnswered = question.format === 'open' && said.length > 0
  return {
    system: smallSystem(isAnswered ? [] : examples[question.format]),
    user: [smallQuestion(question), ...said, ...(brief ? [brief] : [])],
    shape: shapeFor(session.question),
    maxOutputTokens,
  }
}

/** Pairs that are far from anything that people put to a table, as many alike as not. */
const comparisons: readonly (readonly [string, string, 'yes' | 'no'])[] = [
  ['Tea is best.', 'Coffee is best.', 'no'],
  ['Tea is best.', 'The best drink is tea.', 'yes'],
  ['Dogs are loud.', 'Dogs are not loud.', 'no'],
  ['People should walk more.', 'More walking is what people should do.', 'yes'],
  ['A pond needs plants.', 'A pond needs fish.', 'no'],
  ['It rains a lot here.', 'There is much rain here.', 'yes'],
]

/**
 * A small moderator is asked one thing only: whether two headlines say the same. It finds them nowhere but in the
 * form of its reply, and so has to write both before it says yes or no: where it only reads them, it guesses (0021).
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
