/** Scores every rule that works on recorded votes, against the majority and the best seat. */
import { choiceRules } from '../core/aggregation/index.ts'
import type { Context, Decision, Learning, Rule, Vote } from '../core/aggregation/rule.ts'
import { bestSeat } from './best-seat.ts'
import { differenceInterval, type Interval, intervalOf, meanOf, resampledMeans } from './bootstrap.ts'
import { type Gate, gated, gatesOf, usualGate } from './gates.ts'
import { labelsFor, type Split, splitsOf } from './splits.ts'
import { familyOf, type Recording } from './votes.ts'

export interface Comparison {
  readonly difference: number
  readonly interval: Interval
}

export interface Measured {
  readonly name: string
  readonly label: string
  readonly summary: string
  readonly accuracy: number
  readonly interval: Interval
  /** Without labels there is no way to choose the best seat. */
  readonly against: { readonly majority: Comparison; readonly bestSeat?: Comparison }
  /** Share of questions that it couldn't decide; a tie between two answers counts as half right. */
  readonly ties: number
  /** The spread over draws of labels, for rules that learn. */
  readonly draws?: { readonly lowest: number; readonly highest: number; readonly aboveMajority: number }
}

export interface Replay {
  readonly questions: number
  readonly seats: readonly string[]
  readonly rules: readonly Measured[]
  readonly labels: number
  readonly draws: number
  readonly resamples: number
  readonly seed: string
  /** How often each seat alone is right, and any of them. */
  readonly alone: readonly { readonly seat: string; readonly accuracy: number }[]
  readonly anySeatRight: number
  /** How often two seats that are both wrong say the same. */
  readonly sameWhenBothWrong: number | null
  readonly gates: readonly Gate[]
}

export interface ReplayOptions {
  readonly labels: number
  readonly seed: string
  readonly resamples?: number
  /** Called after each draw of labels. */
  readonly onProgress?: (done: number, of: number) => void
}

/** One rule's results: for each question, the mean over the draws in which it wasn't a label. */
interface Column {
  readonly rule: Rule
  readonly learns: boolean
  readonly right: Float64Array
  readonly tied: Float64Array
  /** Accuracy in each draw, and the majority's on the same questions. */
  readonly byDraw: (readonly [number, number])[]
}

/** A tie between two is half right: what a coin would get on average. */
const credit = ({ value, tied }: Decision, gold: string): number => {
  if (value !== null) return value === gold ? 1 : 0
  return tied.includes(gold) ? 1 / tied.length : 0
}

/** The rules that need nothing but recorded votes. Gates come last, because they are made of other rules. */
const rulesFor = (learning: Learning): { rule: Rule; learns: boolean }[] => {
  const fitting = choiceRules.filter(({ needs }) => ['nothing', 'labels', 'ballots'].includes(needs))
  const plain = fitting.map(({ needs, create }) => ({ rule: create(learning), learns: needs === 'labels' }))
  if (learning.labelled.length === 0) return plain.filter(({ learns }) => !learns)
  const best = bestSeat(learning)
  const [majority, ...others] = plain.map(({ rule }) => rule)
  const learnt = others.find(rule => rule.id === 'portfolio')!
  const gates = [best, learnt].map(rule => gated(usualGate, learning.seats.length, majority!, rule))
  return [...plain, ...[best, ...gates].map(rule => ({ rule, learns: true }))]
}

const votesOf = (recording: Recording): Vote[][] =>
  recording.questions.map(({ votes }) => [...votes].map(([seat, value]) => ({ seat, value })))

/** Rules that don't learn give the same result in every draw, so they run once. */
const decideAll = (
  recording: Recording,
  votes: readonly Vote[][],
  splits: readonly Split[],
  onProgress: ReplayOptions['onProgress'],
): Column[] => {
  const { questions, seats } = recording
  const context: Context = { options: recording.options }
  const ballots = questions.map(question => question.votes)
  const columns: Column[] = []
  const counts = new Float64Array(questions.length)
  for (const split of splits)
    for (const index of questions.keys()) counts[index]! += split.isLabel[index] ? 0 : 1
  for (const [draw, split] of splits.entries()) {
    const labelled = split.labels.map(index => questions[index]!)
    const learning = {
      seats,
      options: recording.options.length,
      labelled,
      ballots: draw === 0 ? ballots : [],
      familyOf,
    }
    for (const [place, { rule, learns }] of rulesFor(learning).entries()) {
      columns[place] ??= {
        rule,
        learns,
        right: new Float64Array(questions.length),
        tied: new Float64Array(questions.length),
        byDraw: [],
      }
      const column = columns[place]
      if (learns) decideDraw(column, rule, { recording, votes, context, split, majority: columns[0]!.right })
      else if (draw === 0) decideOnce(column, rule, recording, votes, context)
    }
    onProgress?.(draw + 1, splits.length)
  }
  // Divided once at the end: adding up fractions would leave rounding errors that look like a difference.
  for (const { right, tied } of columns.filter(column => column.learns)) {
    for (const [index, count] of counts.entries()) {
      right[index]! /= count
      tied[index]! /= count
    }
  }
  return columns
}

const decideOnce = (
  column: Column,
  rule: Rule,
  recording: Recording,
  votes: readonly Vote[][],
  context: Context,
): void => {
  for (const [index, { gold }] of recording.questions.entries()) {
    const decision = rule.decide(votes[index]!, context)
    column.right[index] = credit(decision, gold)
    column.tied[index] = decision.tied.length > 0 ? 1 : 0
  }
}

interface Draw {
  readonly recording: Recording
  readonly votes: readonly Vote[][]
  readonly context: Context
  readonly split: Split
  readonly majority: Float64Array
}

const decideDraw = (column: Column, rule: Rule, draw: Draw): void => {
  let [right, plain, decided] = [0, 0, 0]
  for (const [index, { gold }] of draw.recording.questions.entries()) {
    if (draw.split.isLabel[index]) continue
    const decision = rule.decide(draw.votes[index]!, draw.context)
    const got = credit(decision, gold)
    column.right[index]! += got
    column.tied[index]! += decision.tied.length > 0 ? 1 : 0
    right += got
    plain += draw.majority[index]!
    decided++
  }
  column.byDraw.push([right / decided, plain / decided])
}

const drawsOf = ({ byDraw }: Column): Measured['draws'] => ({
  lowest: Math.min(...byDraw.map(([own]) => own)),
  highest: Math.max(...byDraw.map(([own]) => own)),
  aboveMajority: byDraw.filter(([own, plain]) => own > plain).length / byDraw.length,
})

const measure = (columns: readonly Column[], resamples: number, seed: string): Measured[] => {
  const means = resampledMeans(
    columns.map(column => column.right),
    { resamples, seed },
  )
  const against = (place: number, other: number): Comparison => ({
    difference: meanOf(columns[place]!.right) - meanOf(columns[other]!.right),
    interval: differenceInterval(means[place]!, means[other]!),
  })
  const best = columns.findIndex(({ rule }) => rule.id === 'best-seat')
  return columns.map((column, place) => ({
    name: column.rule.id,
    label: column.rule.label,
    summary: column.rule.summary,
    accuracy: meanOf(column.right),
    interval: intervalOf(means[place]!),
    against: { majority: against(place, 0), ...(best >= 0 && { bestSeat: against(place, best) }) },
    ties: meanOf(column.tied),
    ...(column.learns && { draws: drawsOf(column) }),
  }))
}

/** Over all pairs of seats that are both wrong. */
const sameWhenBothWrong = ({ questions }: Recording): number | null => {
  let [same, both] = [0, 0]
  for (const { votes, gold } of questions) {
    const wrong = [...votes.values()].filter(vote => vote !== gold)
    for (const [place, one] of wrong.entries()) {
      for (const other of wrong.slice(place + 1)) {
        both++
        if (one === other) same++
      }
    }
  }
  return both === 0 ? null : same / both
}

export const replay = (recording: Recording, options: ReplayOptions): Replay => {
  const { questions, seats } = recording
  const { seed, resamples = 2000 } = options
  const labels = labelsFor(options.labels, questions.length)
  const splits = splitsOf(questions.length, labels, seed)
  const votes = votesOf(recording)
  const columns = decideAll(recording, votes, splits, options.onProgress)
  const count = (right: (question: Recording['questions'][number]) => boolean): number =>
    questions.filter(right).length / questions.length
  return {
    questions: questions.length,
    seats,
    rules: measure(columns, resamples, seed),
    labels,
    draws: splits.length,
    resamples,
    seed,
    alone: seats.map(seat => ({ seat, accuracy: count(({ votes, gold }) => votes.get(seat) === gold) })),
    anySeatRight: count(({ votes, gold }) => [...votes.values()].includes(gold)),
    sameWhenBothWrong: sameWhenBothWrong(recording),
    gates: gatesOf(recording, votes, columns[0]!.right),
  }
}
