/** Do rules come close to the best possible result, in cases where that is known? */
import { estimated, meanOf } from '../../src/bench/replay.ts'
import { dawidSkene, estimatedAccuracies, portfolio } from '../../src/bench/rules.ts'
import { randomFor } from '../../src/core/basics.ts'
import {
  type Learning,
  logOdds,
  logOddsWeight,
  majority,
  type Rule,
  sealedConfidence,
  surprisinglyPopular,
  weighted,
} from '../../src/core/rules.ts'
import { type Bench, type Check, type CheckResult, creditOf, percent, points } from './check.ts'
import {
  optionsOf,
  questionsFrom,
  type SimulatedQuestion,
  type SimulatedTable,
  seatName,
} from './simulated-table.ts'

const labels = 200

export const learningFrom = (table: SimulatedTable, labelled: readonly SimulatedQuestion[]): Learning => {
  const known = labelled.map(({ votes, gold }) => ({
    gold,
    votes: new Map(votes.map(vote => [vote.seat, vote.value])),
  }))
  return {
    seats: table.seats.map((_, place) => seatName(place)),
    options: table.options,
    labelled: known,
    ballots: known.map(({ votes }) => votes),
    familyOf: seat => seat,
  }
}

/** How often a rule is right, question by question. */
export const results = (
  rule: Rule,
  table: SimulatedTable,
  questions: readonly SimulatedQuestion[],
): Float64Array => {
  const context = { options: optionsOf(table) }
  return Float64Array.from(questions, ({ votes, gold }) => creditOf(rule.decide(votes, context), gold))
}

const independent = (accuracies: readonly number[], options: number): SimulatedTable => ({
  seats: accuracies.map(accuracy => ({ accuracy })),
  options,
  sharedLuck: 0,
  trap: 1 / Math.max(1, options - 1),
})

const condorcet = ({ questions, seed }: Bench): Check => {
  const table = independent(Array(5).fill(0.7), 2)
  const right = results(majority(), table, questionsFrom(table, questions, randomFor(`${seed}/condorcet`)))
  const { mean, interval } = estimated(right, `${seed}/condorcet`)
  const exact = 0.83692
  return {
    id: 'condorcet',
    claim: 'A majority of five independent seats at 70 % is right in 83.7 %.',
    expected: `${percent(exact)} within the interval`,
    figure: `${percent(mean)} (${percent(interval[0])} to ${percent(interval[1])})`,
    value: mean,
    interval,
    holds: interval[0] <= exact && exact <= interval[1],
  }
}

/** The best possible rule for independent seats: log-odds of the true accuracies. */
const bestWeights = (table: SimulatedTable): Rule => ({
  ...majority(),
  decide: (votes, context) =>
    weighted(votes, context, vote => {
      const place = table.seats.findIndex((_, index) => seatName(index) === vote.seat)
      return logOddsWeight(table.seats[place]!.accuracy, table.options)
    }),
})

const logOddsOptimum = ({ questions, seed }: Bench): Check => {
  const table = independent([0.9, 0.7, 0.6, 0.55, 0.42], 4)
  const random = randomFor(`${seed}/log-odds`)
  const rule = logOdds(learningFrom(table, questionsFrom(table, labels, random)))
  const asked = questionsFrom(table, questions, random)
  const [learnt, best, plain] = [rule, bestWeights(table), majority()].map(one =>
    meanOf(results(one, table, asked)),
  )
  return {
    id: 'log-odds',
    claim: 'Log-odds weights from 200 labels come within a point of the best possible rule.',
    expected: 'at most 1 point below the optimum, and above the majority',
    figure: `${percent(learnt!)}; optimum ${percent(best!)}, majority ${percent(plain!)}`,
    value: learnt!,
    holds: learnt! >= best! - 0.01 && learnt! > plain!,
  }
}

const agreementOnly = ({ questions, seed }: Bench): Check => {
  const table = independent([0.9, 0.8, 0.7, 0.6, 0.5], 4)
  const asked = questionsFrom(table, questions, randomFor(`${seed}/dawid-skene`))
  const found = estimatedAccuracies(learningFrom(table, asked))
  const errors = table.seats.map(({ accuracy }, place) => Math.abs(found.get(seatName(place))! - accuracy))
  const worst = Math.max(...errors)
  return {
    id: 'dawid-skene',
    claim: 'Without labels, Dawid–Skene finds how good independent seats are.',
    expected: 'no seat off by more than 3 points',
    figure: `largest error ${percent(worst)}`,
    value: worst,
    holds: worst <= 0.03,
  }
}

/** Three copies of one seat outvote two better ones: agreement that isn't evidence. */
const copies = ({ questions, seed }: Bench): Check => {
  const seats = [{ accuracy: 0.75 }, ...[0, 0].map(cloneOf => ({ accuracy: 0.75, cloneOf }))]
  const table: SimulatedTable = {
    seats: [...seats, { accuracy: 0.8 }, { accuracy: 0.8 }],
    options: 4,
    sharedLuck: 0,
    trap: 0.5,
  }
  const random = randomFor(`${seed}/copies`)
  const learning = learningFrom(table, questionsFrom(table, labels, random))
  const asked = questionsFrom(table, questions, random)
  const accuracy = (rule: Rule): number => meanOf(results(rule, table, asked))
  const rules = [portfolio(learning), majority(), logOdds(learning), dawidSkene(learning)]
  const [spread = 0, plain = 0, weighed = 0, agreed = 0] = rules.map(accuracy)
  return {
    id: 'copies',
    claim: 'Three copies of one seat outvote two better ones; the portfolio detects that they are one.',
    expected: 'at least 5 points above majority, log-odds and Dawid–Skene',
    figure: `${percent(spread)}; majority ${percent(plain)}, log-odds ${percent(weighed)}, Dawid–Skene ${percent(agreed)}`,
    value: spread - plain,
    holds: spread - Math.max(plain, weighed, agreed) >= 0.05,
  }
}

const confidence = ({ questions, seed }: Bench): Check => {
  const gain = (calibration: number): number => {
    const seats = Array.from({ length: 5 }, () => ({ accuracy: 0.65, calibration }))
    const table: SimulatedTable = { seats, options: 4, sharedLuck: 0, trap: 0.7, spread: 0.3 }
    const asked = questionsFrom(table, questions, randomFor(`${seed}/confidence`))
    return meanOf(results(sealedConfidence(), table, asked)) - meanOf(results(majority(), table, asked))
  }
  const [honest, misleading] = [gain(1), gain(-1)]
  return {
    id: 'confidence',
    claim: 'Sealed confidence helps if it is calibrated, and harms if it misleads.',
    expected: 'above 0, and below 0',
    figure: `${points(honest)} points calibrated, ${points(misleading)} misleading`,
    value: honest,
    holds: honest > 0 && misleading < 0,
  }
}

/** Two of six know better, and know that most don't. */
const fewWhoKnow = ({ questions, seed }: Bench): Check => {
  const random = randomFor(`${seed}/surprise`)
  const expecting = (popular: number) =>
    new Map([
      ['A', 1 - popular],
      ['B', popular],
    ])
  const right = Float64Array.from({ length: questions }, () => {
    const votes = Array.from({ length: 6 }, (_, place) => ({
      seat: seatName(place),
      value: place < 2 ? 'A' : 'B',
      predicted: expecting((place < 2 ? 0.65 : 0.85) + (random() - 0.5) * 0.3),
    }))
    return creditOf(surprisinglyPopular().decide(votes, { options: ['A', 'B'] }), 'A')
  })
  return {
    id: 'surprisingly-popular',
    claim: 'If two of six know better and expect to be few, their answer is surprisingly popular.',
    expected: 'flagged in at least 95 %, although the majority is always wrong',
    figure: percent(meanOf(right)),
    value: meanOf(right),
    holds: meanOf(right) >= 0.95,
  }
}

export const optima = (bench: Bench): CheckResult => ({
  checks: [condorcet, logOddsOptimum, agreementOnly, copies, confidence, fewWhoKnow].map(check =>
    check(bench),
  ),
  series: [],
})
