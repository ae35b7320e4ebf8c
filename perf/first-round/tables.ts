/** Recorded tables: how the sealed vote was divided, and whether the sealed and the last vote were right. */
import { type DebateSet, meansOverSets, type ScoredSet } from '../../src/bench/debates.ts'
import { intervalOf, meanOf, resampledMeans } from '../../src/bench/replay.ts'
import type { SealedSplit } from '../../src/count/splits.ts'

export interface RecordedTableOutcome {
  readonly source: string
  readonly set: string
  /** Seats of the set, and its open rounds. */
  readonly seats: number
  readonly openRounds: number
  /** Undefined without a quorum. */
  readonly level: SealedSplit | undefined
  /** The largest sealed camp's share of the table. Zero if no answer leads. */
  readonly support: number
  /** 1 right, 0 wrong, 1/k in a tie of k. */
  readonly sealed: number
  readonly last: number
}

const supportIn = (rounds: DebateSet['debates'][number]['rounds']): number => {
  const of = rounds[0]!.filter((_, seat) => rounds.some(answers => answers[seat] !== null)).length
  const counts = new Map<string, number>()
  for (const answer of rounds[0]!) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const [first = 0, second = 0] = [...counts.values()].sort((one, other) => other - one)
  return first === second ? 0 : first / of
}

export const tablesIn = ({
  set,
  scored,
}: {
  readonly set: DebateSet
  readonly scored: ScoredSet
}): RecordedTableOutcome[] => {
  const credit = (name: string): Float64Array => scored.columns.find(column => column.name === name)!.credit
  const [last, sealed] = [credit('last'), credit('sealed')]
  return set.debates.map(({ rounds }, index) => ({
    source: set.source,
    set: set.name,
    seats: set.seats.length,
    openRounds: set.rounds - 1,
    level: scored.splits[index],
    support: scored.splits[index] === undefined ? 0 : supportIn(rounds),
    sealed: sealed[index]!,
    last: last[index]!,
  }))
}

export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

export const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)

export interface MeanWithInterval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** Tables must be in the order of their sets. */
export const overSets = (
  tables: readonly RecordedTableOutcome[],
  figure: (table: RecordedTableOutcome) => number,
): MeanWithInterval => {
  const values = Float64Array.from(tables, figure)
  const sizes = [...Map.groupBy(tables, ({ set }) => set).values()].map(own => own.length)
  const means =
    sizes.length > 1
      ? meansOverSets([values], sizes, { seed: '1', resamples: 2000 })
      : resampledMeans([values], { seed: '1', resamples: 2000 })
  const [low, high] = intervalOf(means[0]!)
  return { mean: meanOf(values), low, high }
}

export const overSessions = (
  tables: readonly RecordedTableOutcome[],
  figure: (table: RecordedTableOutcome) => number,
): MeanWithInterval => {
  const values = Float64Array.from(tables, figure)
  const [low, high] = intervalOf(resampledMeans([values], { seed: '1', resamples: 2000 })[0]!)
  return { mean: meanOf(values), low, high }
}

const signed = (value: number): string => {
  const text = (value * 100).toFixed(2)
  return Number(text) > 0 ? `+${text}` : text.replace('-', '−')
}

/** "+0.38 (−0.23 to +0.81)" in points. */
export const pointsText = ({ mean: middle, low, high }: MeanWithInterval): string =>
  `${signed(middle)} (${signed(low)} to ${signed(high)})`

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
