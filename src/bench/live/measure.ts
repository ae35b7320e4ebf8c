/** The figures of a live bench: each method against the sealed majority and against equal tokens. */
import type { Session } from '../../core/log/state.ts'
import { wilson } from '../../core/track-record/wilson.ts'
import { differenceInterval, type Interval, meanOf, resampledMeans } from '../bootstrap.ts'
import { mcnemar } from '../mcnemar.ts'
import type { PairedDifference } from '../paired.ts'
import type { GoldQuestion } from './questions.ts'
import {
  type Flips,
  flipsIn,
  isSeatRight,
  type SessionScore,
  scoreOfSamples,
  scoreOfVerdict,
} from './score.ts'
import { type Spent, spentBy, spentOn, together } from './spent.ts'

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
