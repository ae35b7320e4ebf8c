/**
 * How soon weights learnt from labelled questions beat equal ones: decision 36.
 * node perf/learning-curves.ts <file of recorded votes>
 */

import { readFileSync } from 'node:fs'
import {
  differenceInterval,
  familyOf,
  meanOf,
  type Recording,
  recordingFrom,
  resampledMeans,
  seatsNamed,
  splitsOf,
  withSeats,
} from '../src/bench/replay.ts'
import { portfolioWeights } from '../src/bench/rules.ts'
import type { Learning } from '../src/core/rules.ts'
import { logOddsWeight } from '../src/core/rules.ts'

const sizes = [10, 20, 50, 100, 200, 500] as const
const six = ['sonnet', '405b', 'gpt-4o', 'qwen2.5', 'gemini-1.5-pro-001', 'mistral']

type Weights = ReadonlyMap<string, number>

/** Right answers of each seat, shrunk as if it had been as good as the prior in ten questions. */
const logOdds = ({ seats, labelled, options }: Learning, tablePrior: boolean): Weights => {
  const right = seats.map(seat => labelled.filter(({ votes, gold }) => votes.get(seat) === gold).length)
  const mean = right.reduce((sum, one) => sum + one, 0) / Math.max(1, seats.length * labelled.length)
  const prior = tablePrior && labelled.length > 0 ? mean : 0.8
  return new Map(
    seats.map((seat, index) => [
      seat,
      // A table that is always right would weigh infinitely much.
      logOddsWeight(Math.min(0.99, (right[index]! + 10 * prior) / (labelled.length + 10)), options),
    ]),
  )
}

/** The learnt part is n/(n + m); the rest is equal. */
const shrunk = (weights: Weights, labels: number, m: number): Weights => {
  const total = [...weights.values()].reduce((sum, one) => sum + one, 0)
  const part = labels / (labels + m)
  const equal = 1 / weights.size
  return new Map(
    [...weights].map(([seat, weight]) => [
      seat,
      part * (total > 0 ? weight / total : equal) + (1 - part) * equal,
    ]),
  )
}

const priors = [50, 100, 200, 400] as const
const rules: readonly { readonly name: string; weigh(learning: Learning): Weights }[] = [
  { name: 'log-odds', weigh: learning => logOdds(learning, false) },
  { name: 'log-odds, table prior', weigh: learning => logOdds(learning, true) },
  { name: 'portfolio', weigh: learning => portfolioWeights(learning, 0) },
  ...priors.flatMap(m => [
    {
      name: `log-odds, m = ${m}`,
      weigh: (learning: Learning) => shrunk(logOdds(learning, true), learning.labelled.length, m),
    },
    {
      name: `portfolio, m = ${m}`,
      weigh: (learning: Learning) => portfolioWeights(learning, m),
    },
  ]),
]

const creditOf = (votes: ReadonlyMap<string, string>, gold: string, weights: Weights | null): number => {
  const scores = new Map<string, number>()
  for (const [seat, value] of votes)
    scores.set(value, (scores.get(value) ?? 0) + (weights?.get(seat) ?? (weights ? 0 : 1)))
  const best = Math.max(...scores.values())
  const first = [...scores].filter(([, score]) => score >= best - 1e-9).map(([value]) => value)
  return first.includes(gold) ? 1 / first.length : 0
}

interface Gain {
  readonly mean: number
  readonly interval: readonly [number, number]
}

const gainOf = (recording: Recording, labels: number, weigh: (learning: Learning) => Weights): Gain => {
  const { questions, seats, options } = recording
  const plain = Float64Array.from(questions, ({ votes, gold }) => creditOf(votes, gold, null))
  const sums = new Float64Array(questions.length)
  const counts = new Float64Array(questions.length)
  for (const { labels: drawn, isLabel } of splitsOf(questions.length, labels, '1')) {
    const labelled = drawn.map(index => questions[index]!)
    const weights = weigh({ seats, options: options.length, labelled, ballots: [], familyOf })
    for (const [index, { votes, gold }] of questions.entries()) {
      if (isLabel[index]) continue
      sums[index]! += creditOf(votes, gold, weights)
      counts[index]!++
    }
  }
  const own = sums.map((sum, index) => (counts[index] ? sum / counts[index]! : plain[index]!))
  const [one, other] = resampledMeans([own, plain], { resamples: 1000, seed: '1' })
  return { mean: meanOf(own) - meanOf(plain), interval: differenceInterval(one!, other!) }
}

const related = ({ seats }: Recording): string[] => {
  const byFamily = Map.groupBy(seats, familyOf)
  return [...byFamily.values()].filter(own => own.length > 1).flat()
}

const text = ({ mean, interval: [low, high] }: Gain): string =>
  [mean, low, high]
    .map(value => (value * 100).toFixed(2))
    .join(' ')
    .replace(/(\S+) (\S+) (\S+)/, '$1 ($2 to $3)')

const all = recordingFrom(readFileSync(process.argv[2]!, 'utf8'))
const tables: readonly (readonly [string, readonly string[]])[] = [
  ['six makers', seatsNamed(all.seats, six)],
  ['all seats', all.seats],
  ['related', related(all)],
]

for (const [name, seats] of tables) {
  console.log(`\n${name}: ${seats.join(', ')}`)
  for (const half of [0, 1]) {
    const recording = withSeats(
      { ...all, questions: all.questions.filter((_, index) => index % 2 === half) },
      seats,
    )
    console.log(
      `  ${half === 0 ? 'choosing' : 'scoring'} half, ${recording.questions.length} questions; labels ${sizes.join(', ')}`,
    )
    for (const { name: rule, weigh } of rules)
      console.log(
        `    ${rule.padEnd(24)} ${sizes.map(size => text(gainOf(recording, size, weigh)).padEnd(24)).join('')}`,
      )
  }
}
