/** Debates whose answers are probabilities: right is who is on the right side of 50 %, and Brier scores say how far. */
import { meanLogOdds } from '../../core/aggregation/mean-log-odds.ts'
import { mean, median } from '../../core/aggregation/number.ts'
import type { DebateSet } from './debates.ts'
import { type Decided, type ScoredSet, scored } from './scored.ts'
import type { VoteOutcome } from './vote.ts'

type Numbers = readonly (number | null)[]

interface NumberRule {
  readonly name: string
  readonly summary: string
  decide(rounds: readonly Numbers[]): number | undefined
}

const given = (numbers: Numbers): number[] => numbers.filter(number => number !== null)

const ofRound =
  (combine: (numbers: readonly number[]) => number | undefined) =>
  (numbers: Numbers): number | undefined =>
    combine(given(numbers))

const middle = ofRound(numbers => median(numbers))
const average = ofRound(mean)
const logOdds = meanLogOdds()
const combinedOdds = ofRound(
  numbers =>
    logOdds.decide(
      numbers.map((value, seat) => ({ seat: String(seat), value })),
      { options: [] },
    ).value ?? undefined,
)

/** Each seat's sealed number counts once, its open ones together once. */
const trajectory = (rounds: readonly Numbers[]): number | undefined => {
  const [sealed = [], ...open] = rounds
  const paths = sealed.map((first, seat) => {
    const later = mean(given(open.map(numbers => numbers[seat] ?? null)))
    return mean([...(first === null ? [] : [first]), ...(later === undefined ? [] : [later])]) ?? null
  })
  return median(given(paths))
}

const rules: readonly NumberRule[] = [
  {
    name: 'last',
    summary: 'The median of the last round.',
    decide: rounds => middle(rounds.at(-1)!),
  },
  {
    name: 'last mean',
    summary: 'The mean of the last round.',
    decide: rounds => average(rounds.at(-1)!),
  },
  {
    name: 'last log-odds',
    summary: 'The mean log-odds of the last round.',
    decide: rounds => combinedOdds(rounds.at(-1)!),
  },
  {
    name: 'trajectory',
    summary: 'The median of what each seat said: the sealed number once, the open ones together once.',
    decide: trajectory,
  },
  { name: 'sealed', summary: 'The median of the sealed round.', decide: rounds => middle(rounds[0]!) },
  {
    name: 'sealed log-odds',
    summary: 'The mean log-odds of the sealed round.',
    decide: rounds => combinedOdds(rounds[0]!),
  },
]

const isBinary = (text: string): boolean => Number(text) === 0 || Number(text) === 1

/** "70%" and "70" are the same number. */
const numberIn = (answer: string): number => Number(answer.replace(/(?<=\d) ?%$/, ''))

const isPercent = (answer: string | null): boolean =>
  answer !== null && (answer.endsWith('%') || Number(answer) > 1)

/**
 * Whether the answers of a set are probabilities: everything right is 0 or 1, and every answer is a number from 0 to
 * 100, with or without a percent sign, most of them neither 0 nor 1. Otherwise the numbers are answers like any other.
 */
export const areProbabilities = ({ debates }: DebateSet): boolean => {
  if (!debates.every(({ gold }) => isBinary(gold))) return false
  const answers = debates.flatMap(({ rounds }) => rounds.flat()).filter(answer => answer !== null)
  const inRange = answers.every(answer => numberIn(answer) >= 0 && numberIn(answer) <= 100)
  return inRange && answers.filter(answer => !isBinary(answer)).length * 2 > answers.length
}

/** Sums of numbers that are even only up to rounding. */
const precision = 1e-9

/** Exactly 50 % is on neither side, which counts like a tie. */
const side = (probability: number): VoteOutcome => {
  if (Math.abs(probability - 0.5) < precision) return ['0', '1']
  return [probability > 0.5 ? '1' : '0']
}

/** A debate without a number counts like one that says 50 %. */
const brierOf = (probability: number | undefined, gold: string): number =>
  ((probability ?? 0.5) - Number(gold)) ** 2

export const scoredProbabilities = (set: DebateSet): ScoredSet => {
  const whole = set.debates.some(({ rounds }) => rounds.flat().some(isPercent)) ? 100 : 1
  const debates = set.debates.map(({ gold, rounds }) => ({
    gold: String(Number(gold)),
    rounds: rounds.map(round => round.map(answer => (answer === null ? null : numberIn(answer) / whole))),
  }))
  const decided = (rule: NumberRule, round: number): (number | undefined)[] =>
    debates.map(({ rounds }) =>
      given(rounds[round]!).length === 0 ? undefined : rule.decide(rounds.slice(0, round + 1)),
    )
  const decisions = rules.map((rule): Decided => {
    const stages = Array.from({ length: set.rounds }, (_, round) => decided(rule, round))
    return {
      name: rule.name,
      summary: rule.summary,
      learns: false,
      outcomes: stages.map(values => values.map(value => (value === undefined ? [] : side(value)))),
      brier: Float64Array.from(stages.at(-1)!, (value, index) => brierOf(value, debates[index]!.gold)),
    }
  })
  const sides = set.debates.map(({ id }, index) => ({
    id,
    gold: debates[index]!.gold,
    rounds: debates[index]!.rounds.map(round =>
      round.map(value => (value === null ? null : side(value).join(' or '))),
    ),
  }))
  return scored(set, 'probabilities', sides, decisions)
}
