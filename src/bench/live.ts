/** Questions with their right answers, one JSON object per line. */

import { z } from 'zod'
import { shuffled, UsageError } from '../core/basics.ts'
import type { Usage } from '../core/event.ts'
import { type Answer, askedQuestionSchema, formats, normalised, type Question } from '../core/question.ts'
import { valueText } from '../core/reply.ts'
import { majority } from '../core/rules.ts'
import { answerBefore, answerIn, roundAt, type Session } from '../core/session.ts'
import { answerAt, type Camp } from '../count/camps.ts'
import { wilson } from '../count/splits.ts'
import { verdictOf } from '../count/verdict.ts'
import {
  differenceInterval,
  type Interval,
  mcnemar,
  meanOf,
  type PairedDifference,
  pairedDifference,
  resampledMeans,
} from './replay.ts'

const lineSchema = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  question: z.string(),
  format: z.enum(formats).optional(),
  options: z.array(z.string()).optional(),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log']).optional(),
  /** An option or its letter, a number, a whole ranking, or words that an open headline must contain. */
  gold: z.union([z.string().min(1), z.number(), z.array(z.string()).min(1)]),
  /** How far from the right number an answer may be. */
  tolerance: z.number().nonnegative().optional(),
  why: z.string().optional(),
})
type Line = z.output<typeof lineSchema>

export interface GoldQuestion {
  readonly id: string
  readonly question: Question
  readonly gold: string | number | readonly string[]
  readonly tolerance: number
  /** Why it is hard, for people. */
  readonly why?: string
}

const formatOf = ({ format, options, unit, gold }: Line): Question['format'] => {
  if (format) return format
  if (options) return 'choice'
  return unit !== undefined || typeof gold === 'number' ? 'number' : 'open'
}

/** The option itself, or its letter if no option has that name. */
const optionOf = (gold: string, options: readonly string[]): string => {
  const said = options.find(option => normalised(option) === normalised(gold))
  const lettered = /^[A-T]$/.test(gold) ? options[gold.charCodeAt(0) - 65] : undefined
  const found = said ?? lettered
  if (found !== undefined) return found
  throw new UsageError(`the gold answer "${gold}" isn't one of the options`)
}

const goldFor = (question: Question, gold: Line['gold']): GoldQuestion['gold'] => {
  const wrong = (needed: string) =>
    new UsageError(`the gold answer of a ${question.format} must be ${needed}`)
  switch (question.format) {
    case 'choice':
      if (typeof gold !== 'string') throw wrong('one of its options, or the letter of one')
      return optionOf(gold, question.options)
    case 'number':
      if (typeof gold !== 'number') throw wrong('a number')
      return gold
    case 'ranking':
      if (!Array.isArray(gold) || gold.length !== question.options.length) throw wrong('all options in order')
      return gold.map(item => optionOf(item, question.options))
    case 'open':
    case 'text':
      if (typeof gold === 'number') return String(gold)
      return gold
    default:
      return question.format satisfies never
  }
}

const problemOf = (error: unknown): string => {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return `${issue?.path.join('.') || 'the line'}: ${issue?.message}`
  }
  return error instanceof SyntaxError ? "it isn't JSON" : (error as Error).message
}

const questionFrom = (text: string): GoldQuestion => {
  const line = lineSchema.parse(JSON.parse(text))
  const { id, options, unit, scale, tolerance = 0, why } = line
  const question = askedQuestionSchema.parse({
    text: line.question,
    format: formatOf(line),
    options,
    unit,
    scale,
  })
  return { id, question, gold: goldFor(question, line.gold), tolerance, ...(why !== undefined && { why }) }
}

export const questionsFrom = (file: string): GoldQuestion[] => {
  const questions = file
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((text, index) => {
      if (text.trim() === '') return []
      try {
        return [questionFrom(text)]
      } catch (error) {
        throw new UsageError(`Line ${index + 1}: ${problemOf(error)}.`)
      }
    })
  const twice = questions.find(({ id }, index) => questions.findIndex(one => one.id === id) !== index)
  if (twice) throw new UsageError(`Two questions have the id ${twice.id}.`)
  if (questions.length < 2)
    throw new UsageError(
      'A bench needs at least two questions: one to choose the best seat, the others to score.',
    )
  return questions
}

const saysWords = (headline: string, gold: string): boolean =>
  ` ${normalised(headline)} `.includes(` ${normalised(gold)} `)

/** Whether an answer is right. An open answer is right if its headline contains the gold words. */
export const isRight = ({ question, gold, tolerance }: GoldQuestion, answer: Answer): boolean => {
  switch (question.format) {
    case 'choice':
      return answer.choice === gold
    case 'number': {
      const off = Math.abs((answer.number ?? Number.NaN) - Number(gold))
      // Without a tolerance, only floating-point rounding is forgiven.
      return off <= Math.max(tolerance, Math.abs(Number(gold)) * 1e-9)
    }
    case 'ranking':
      return JSON.stringify(answer.ranking) === JSON.stringify(gold)
    case 'open':
    case 'text':
      return (Array.isArray(gold) ? gold : [String(gold)]).some(words => saysWords(answer.headline, words))
    default:
      return question.format satisfies never
  }
}

// spent: What sessions used, in tokens and dollars.

export interface Spent {
  readonly tokens: number
  /** Null: a price is unknown. */
  readonly costUsd: number | null
}

export const nothing: Spent = { tokens: 0, costUsd: 0 }

export const together = (all: readonly Spent[]): Spent =>
  all.reduce(
    (sum, one) => ({
      tokens: sum.tokens + one.tokens,
      costUsd: sum.costUsd === null || one.costUsd === null ? null : sum.costUsd + one.costUsd,
    }),
    nothing,
  )

/** A call without usage figures counts as free: nobody knows what it cost. */
export const spentOn = (usage: Usage | undefined): Spent =>
  usage ? { tokens: usage.inputTokens + usage.outputTokens, costUsd: usage.costUsd } : nothing

/** Of the whole session with its sealed round, even if another session paid for that. */
export const spentBy = (session: Session): Spent =>
  together([
    ...session.roundsSoFar.flatMap(round => Object.values(round.handedIn).map(({ usage }) => spentOn(usage))),
    ...session.moderatorUsage.map(spentOn),
  ])

// score: Scores one session against the right answer: the verdict, each seat, the flips, repeated samples.

export interface SessionScore extends Spent {
  /** 1 right, 0 wrong; a tie counts as what a coin would get, so a tie between two is half right. */
  readonly credit: number
  readonly tied: boolean
}

const isRightCamp = (gold: GoldQuestion, session: Session, camp: Camp): boolean => {
  const answer = answerAt(session, camp.exemplar)
  return answer !== undefined && isRight(gold, answer)
}

/** Scores the computed verdict; without a quorum there is no answer. */
export const scoreOfVerdict = (gold: GoldQuestion, session: Session): Omit<SessionScore, keyof Spent> => {
  const { final: tally, leading } = verdictOf(session)
  if (!tally || tally.level === 'no-quorum') return { credit: 0, tied: false }
  const first = tally.camps.filter(camp =>
    leading === null ? camp.seats.length === tally.agree : camp.id === leading,
  )
  const right = first.filter(camp => isRightCamp(gold, session, camp))
  return { credit: first.length === 0 ? 0 : right.length / first.length, tied: first.length > 1 }
}

const sealedAnswer = (session: Session, seat: string): Answer | undefined =>
  answerIn(roundAt(session, 0), seat)

/** A seat without a sealed answer counts as wrong. */
export const isSeatRight = (gold: GoldQuestion, session: Session, seat: string): boolean => {
  const answer = sealedAnswer(session, seat)
  return answer !== undefined && isRight(gold, answer)
}

export interface Flips {
  readonly wrongToRight: number
  readonly rightToWrong: number
}

/** Seats whose sealed answer was wrong and whose last one is right, and the other way round. */
export const flipsIn = (gold: GoldQuestion, session: Session): Flips => {
  let [wrongToRight, rightToWrong] = [0, 0]
  for (const { id } of session.seats) {
    const [before, after] = [sealedAnswer(session, id), answerBefore(session, Infinity, id)]
    if (!before || !after) continue
    const [was, is] = [isRight(gold, before), isRight(gold, after)]
    if (!was && is) wrongToRight++
    if (was && !is) rightToWrong++
  }
  return { wrongToRight, rightToWrong }
}

const voteOf = ({ question }: GoldQuestion, answer: Answer): string =>
  question.format === 'open' ? normalised(answer.headline) : valueText(question, answer)

/** The vote of as many samples as the tokens allow, but at least one. */
export const scoreOfSamples = (
  gold: GoldQuestion,
  session: Session,
  tokens: number,
): SessionScore & { readonly samples: number } => {
  const taken: Spent[] = []
  const answers: Answer[] = []
  for (const { id } of session.seats) {
    const spent = spentOn(roundAt(session, 0)?.handedIn[id]?.usage)
    if (taken.length > 0 && together([...taken, spent]).tokens > tokens) break
    taken.push(spent)
    const answer = sealedAnswer(session, id)
    if (answer) answers.push(answer)
  }
  const votes = answers.map((answer, index) => ({ seat: String(index), value: voteOf(gold, answer) }))
  const { value, tied } = majority().decide(votes, { options: gold.question.options })
  const first = value === null ? tied : [value]
  const isGold = (vote: string): boolean =>
    answers.some(answer => voteOf(gold, answer) === vote && isRight(gold, answer))
  return {
    ...together(taken),
    samples: taken.length,
    credit: first.length === 0 ? 0 : first.filter(isGold).length / first.length,
    tied: first.length > 1,
  }
}

// carry: What carrying a verdict over does: the same questions asked again, by tables that were told of the first time and not.

/** One question: asked first, asked again without a word about it, and asked again with it. */
export interface CarryTrial {
  readonly gold: GoldQuestion
  readonly first: Session
  readonly none: Session
  readonly carried: Session
}

/** Shares of questions whose verdict was right. */
export interface CarryShares {
  readonly questions: number
  readonly none: number
  readonly carried: number
}

export interface CarryFigures {
  readonly questions: number
  /** The first time. */
  readonly first: number
  readonly none: number
  readonly carried: number
  /** Carried minus none. */
  readonly compared: PairedDifference
  /** The same for each seat's own sealed answer. */
  readonly seats: CarryShares & { readonly compared: PairedDifference }
  /** Apart by what was carried over: a right verdict, or a wrong one. Ties are left out. */
  readonly afterRight: CarryShares
  readonly afterWrong: CarryShares
}

const creditOf = (gold: GoldQuestion, session: Session): number => scoreOfVerdict(gold, session).credit

const seatsRight = (gold: GoldQuestion, session: Session): number =>
  session.seats.filter(({ id }) => isSeatRight(gold, session, id)).length / session.seats.length

const columnOf = (trials: readonly CarryTrial[], credit: (trial: CarryTrial) => number): Float64Array =>
  Float64Array.from(trials, credit)

const sharesOf = (
  trials: readonly CarryTrial[],
  credit: (gold: GoldQuestion, session: Session) => number,
): CarryShares => ({
  questions: trials.length,
  none: meanOf(columnOf(trials, ({ gold, none }) => credit(gold, none))),
  carried: meanOf(columnOf(trials, ({ gold, carried }) => credit(gold, carried))),
})

const comparedBy = (
  trials: readonly CarryTrial[],
  credit: (gold: GoldQuestion, session: Session) => number,
  seed: string,
): PairedDifference =>
  pairedDifference(
    columnOf(trials, ({ gold, carried }) => credit(gold, carried)),
    columnOf(trials, ({ gold, none }) => credit(gold, none)),
    seed,
  )

export const carryFigures = (trials: readonly CarryTrial[], seed: string): CarryFigures => {
  const whole = sharesOf(trials, creditOf)
  const firstWas = (credit: number): CarryTrial[] =>
    trials.filter(({ gold, first }) => creditOf(gold, first) === credit)
  return {
    ...whole,
    first: meanOf(columnOf(trials, ({ gold, first }) => creditOf(gold, first))),
    compared: comparedBy(trials, creditOf, seed),
    seats: { ...sharesOf(trials, seatsRight), compared: comparedBy(trials, seatsRight, seed) },
    afterRight: sharesOf(firstWas(1), creditOf),
    afterWrong: sharesOf(firstWas(0), creditOf),
  }
}

// measure: The figures of a live bench: each method against the sealed majority and against equal tokens.

/** One scored question with all sessions about it. */
export interface Trial {
  readonly gold: GoldQuestion
  readonly poll: Session
  /** By protocol. They continue from the poll's sealed round. */
  readonly debates: Readonly<Record<string, Session>>
  /** The best seat, asked again and again. */
  readonly samples: Session
}

export interface MethodComparison extends PairedDifference {
  /** Name of the other method. */
  readonly with: string
}

export interface FlipRatio extends Flips {
  /** Wrong-to-right changes per right-to-wrong change; null if there were none of the latter. */
  readonly ratio: number | null
}

/** One method of answering. */
export interface AnswerMethod extends Spent {
  readonly name: string
  readonly label: string
  readonly accuracy: number
  readonly interval: Interval
  /** Questions that it couldn't decide. */
  readonly ties: number
  readonly against: readonly MethodComparison[]
  readonly flips?: FlipRatio
  /** Mean number of answers of the best seat. */
  readonly samples?: number
}

export interface LiveFigures {
  readonly questions: number
  readonly ways: readonly AnswerMethod[]
  readonly alone: readonly { readonly seat: string; readonly accuracy: number }[]
  readonly anySeatRight: number
  readonly items: readonly MeasuredItem[]
}

/** One question with what each method got for it. */
export interface MeasuredItem {
  readonly id: string
  readonly credits: Readonly<Record<string, number>>
  /** The share of seats whose sealed answer is right. */
  readonly seatsRight: number
}

/** A method with its scores by question, before it is compared. */
interface Column {
  readonly name: string
  readonly label: string
  readonly scores: readonly SessionScore[]
  readonly credits: Float64Array
  readonly extra: Pick<AnswerMethod, 'flips' | 'samples'>
  readonly comparedWith: readonly string[]
}

const column = (
  name: string,
  label: string,
  scores: readonly SessionScore[],
  comparedWith: readonly string[] = [],
  extra: Column['extra'] = {},
): Column => ({
  name,
  label,
  scores,
  credits: Float64Array.from(scores, one => one.credit),
  extra,
  comparedWith,
})

const ratioOf = (all: readonly Flips[]): FlipRatio => {
  const sum = (field: keyof Flips): number => all.reduce((total, flips) => total + flips[field], 0)
  const [wrongToRight, rightToWrong] = [sum('wrongToRight'), sum('rightToWrong')]
  return { wrongToRight, rightToWrong, ratio: rightToWrong === 0 ? null : wrongToRight / rightToWrong }
}

export const sealedName = 'sealed majority'
export const selfName = (of: string): string => `self-consistency, tokens of ${of}`

const samplesColumn = (
  trials: readonly Trial[],
  of: string,
  sessionOf: (trial: Trial) => Session,
): Column => {
  const scores = trials.map(trial =>
    scoreOfSamples(trial.gold, trial.samples, spentBy(sessionOf(trial)).tokens),
  )
  const samples = scores.reduce((sum, one) => sum + one.samples, 0) / Math.max(1, scores.length)
  return column(selfName(of), `Equal tokens: ${of}`, scores, [], { samples })
}

const columnsOf = (trials: readonly Trial[], protocols: readonly string[], best: string): Column[] => {
  const seatScore = ({ gold, poll }: Trial): SessionScore => ({
    ...spentOn(poll.roundsSoFar[0]?.handedIn[best]?.usage),
    credit: isSeatRight(gold, poll, best) ? 1 : 0,
    tied: false,
  })
  const verdictScore = (gold: GoldQuestion, session: Session): SessionScore => ({
    ...scoreOfVerdict(gold, session),
    ...spentBy(session),
  })
  const sealed = trials.map(({ gold, poll }) => verdictScore(gold, poll))
  return [
    column('best seat', 'Best seat, once', trials.map(seatScore)),
    column(sealedName, 'Sealed majority', sealed, [selfName('poll')]),
    samplesColumn(trials, 'poll', trial => trial.poll),
    ...protocols.flatMap(id => {
      const scores = trials.map(({ gold, debates }) => verdictScore(gold, debates[id]!))
      const flips = ratioOf(trials.map(({ gold, debates }) => flipsIn(gold, debates[id]!)))
      return [
        column(id, id, scores, [sealedName, selfName(id)], { flips }),
        samplesColumn(trials, id, trial => trial.debates[id]!),
      ]
    }),
  ]
}

const resamples = 2000

/** Differences are taken within each resample, so questions that are hard for every method don't widen them. */
const waysFrom = (columns: readonly Column[], seed: string): AnswerMethod[] => {
  const means = resampledMeans(
    columns.map(({ credits }) => credits),
    { resamples, seed },
  )
  const compared = (index: number, name: string): MethodComparison[] => {
    const other = columns.findIndex(one => one.name === name)
    const [mine, theirs] = [columns[index]!.credits, columns[other]!.credits]
    const difference = meanOf(mine) - meanOf(theirs)
    const interval = differenceInterval(means[index]!, means[other]!)
    return [{ with: name, difference, interval, ...mcnemar(mine, theirs) }]
  }
  return columns.map(({ name, label, scores, credits, extra, comparedWith }, index) => ({
    name,
    label,
    accuracy: meanOf(credits),
    interval: wilson(
      credits.reduce((sum, credit) => sum + credit, 0),
      credits.length,
    ),
    ties: scores.filter(score => score.tied).length,
    ...together(scores),
    ...extra,
    against: comparedWith.flatMap(other => compared(index, other)),
  }))
}

export const measure = (
  trials: readonly Trial[],
  protocols: readonly string[],
  best: string | undefined,
  seed: string,
): LiveFigures => {
  const columns = best === undefined ? [] : columnsOf(trials, protocols, best)
  const count = Math.max(1, trials.length)
  const share = (isTrue: (trial: Trial) => boolean): number => trials.filter(isTrue).length / count
  const seats = trials[0]?.poll.seats ?? []
  return {
    questions: trials.length,
    ways: waysFrom(columns, seed),
    alone: seats.map(({ id, name }) => ({
      seat: name,
      accuracy: share(({ gold, poll }) => isSeatRight(gold, poll, id)),
    })),
    anySeatRight: share(({ gold, poll }) => seats.some(({ id }) => isSeatRight(gold, poll, id))),
    items: trials.map(({ gold, poll }, row) => ({
      id: gold.id,
      credits: Object.fromEntries(columns.map(({ name, credits }) => [name, credits[row]!])),
      seatsRight: seats.filter(({ id }) => isSeatRight(gold, poll, id)).length / Math.max(1, seats.length),
    })),
  }
}

// compareForms: The same bench in two ways: reasoning or answer first, with letters or without.

/** Two runs over the same questions, method by method: the difference is first minus second. */
export interface RunComparison extends PairedDifference {
  readonly method: string
  readonly questions: number
  /** Shares of questions that were right. */
  readonly first: number
  readonly second: number
}

export interface FormComparison extends PairedDifference {
  readonly method: string
  readonly questions: number
  /** Shares of questions that were right. */
  readonly reasoningFirst: number
  readonly answerFirst: number
}

/** Over the questions that both runs have scored. */
export const compareRuns = (
  first: LiveFigures,
  second: LiveFigures,
  seed: string,
): readonly RunComparison[] => {
  const others = new Map(second.items.map(item => [item.id, item]))
  const pairs = first.items.flatMap(item => {
    const other = others.get(item.id)
    return other ? [[item, other] as const] : []
  })
  const compared = (method: string, credit: (item: MeasuredItem) => number): RunComparison => {
    const mine = Float64Array.from(pairs, ([item]) => credit(item))
    const theirs = Float64Array.from(pairs, ([, item]) => credit(item))
    return {
      method,
      questions: pairs.length,
      first: meanOf(mine),
      second: meanOf(theirs),
      ...pairedDifference(mine, theirs, seed),
    }
  }
  if (pairs.length === 0) return []
  return [
    compared('Each seat, sealed', item => item.seatsRight),
    ...first.ways
      .filter(way => way.samples === undefined)
      .map(way => compared(way.label, item => item.credits[way.name] ?? 0)),
  ]
}

/** Differences are reasoning first minus answer first. */
export const compareForms = (
  reasoning: LiveFigures,
  answer: LiveFigures,
  seed: string,
): readonly FormComparison[] =>
  compareRuns(reasoning, answer, seed).map(({ first, second, method, questions, ...paired }) => ({
    method,
    questions,
    reasoningFirst: first,
    answerFirst: second,
    ...paired,
  }))

// split: Which questions choose the best seat, which seat that is, and how often it may be asked.

/** A question and its sealed round. */
export interface Polled {
  readonly gold: GoldQuestion
  readonly poll: Session
}

export interface Best {
  readonly seat: string
  readonly right: number
  readonly of: number
}

/** By default a quarter. They are never scored: a seat must not be chosen on the questions it is compared on. */
export const devOf = (
  questions: readonly GoldQuestion[],
  asked: number | undefined,
  seed: string,
): Set<string> => {
  const count = asked ?? Math.max(1, Math.floor(questions.length / 4))
  const order = shuffled(
    questions.map(({ id }) => id),
    `${seed}/dev`,
  )
  return new Set(order.slice(0, Math.min(count, questions.length - 1)))
}

/** The seat that was right most often; among equals, the first at the table. */
export const bestSeatOf = (polled: readonly Polled[]): Best => {
  const seats = polled[0]?.poll.seats ?? []
  const scored = seats.map(({ id }) => ({
    seat: id,
    right: polled.filter(({ gold, poll }) => isSeatRight(gold, poll, id)).length,
    of: polled.length,
  }))
  return scored.reduce((one, other) => (other.right > one.right ? other : one))
}

const tokensFor = (poll: Session, seat: string): number =>
  spentOn(poll.roundsSoFar[0]?.handedIn[seat]?.usage).tokens

/** How many answers of the seat these tokens buy, judged by its sealed answer to this question. */
export const samplesFor = (
  tokens: number,
  seat: string,
  poll: Session,
  all: readonly Polled[],
  most: number,
): number => {
  const others = all.map(one => tokensFor(one.poll, seat)).filter(value => value > 0)
  const mean = others.reduce((sum, value) => sum + value, 0) / Math.max(1, others.length)
  const each = tokensFor(poll, seat) || mean || tokens
  return Math.max(1, Math.min(most, Math.floor(tokens / each)))
}
