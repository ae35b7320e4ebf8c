/** How stable a verdict is when the same table gets the same question several times. */
import { normalised } from '../core/question/answer.ts'
import { wilson } from '../core/track-record/wilson.ts'
import type { Level } from '../core/verdict/tally.ts'
import type { Verdict } from '../core/verdict/verdict.ts'
import type { Interval } from './bootstrap.ts'

/** The parts of a run that matter here. */
export interface Run {
  readonly id: string
  readonly seed: string
  /** The leading answer; null if there is a tie, a split or no quorum. */
  readonly leading: string | null
  readonly level: Level | null
  readonly agree: number
  readonly of: number
  readonly flips: number
}

export interface Leader {
  readonly answer: string
  readonly runs: number
  readonly share: number
  readonly interval: Interval
}

/** Mean and extremes over the runs. */
export interface Spread {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export interface Stability {
  readonly runs: readonly Run[]
  /** Most often leading first. */
  readonly leaders: readonly Leader[]
  /** Runs without a leading answer. */
  readonly undecided: number
  /** The probability that two of these runs, chosen at random, agree; null with fewer than two runs. */
  readonly sameTwice: number | null
  /** Share of the table in the largest camp. */
  readonly agreement: Spread
  readonly flips: Spread
  /** What made two answers the same. */
  readonly comparedBy: 'value' | 'headline' | 'moderator'
}

/** The leading camp in words: its headline for an open question, otherwise its value. */
export const leadingWords = ({ leading, final, sealed }: Verdict, open: boolean): string | null => {
  const camp = [...(final?.camps ?? []), ...(sealed?.camps ?? [])].find(({ id }) => id === leading)
  return leading === null || !camp ? null : open ? camp.headline : camp.label
}

const spreadOf = (values: readonly number[]): Spread => ({
  mean: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
  low: Math.min(...values),
  high: Math.max(...values),
})

const keyOf = (run: Run): string | null => (run.leading === null ? null : normalised(run.leading))

/**
 * Two runs agree if the same answer led; two runs without a leading answer don't agree. `keys` has a comparable form
 * of each run's leading answer; without it, equal headlines or values count as the same.
 */
export const stabilityOf = (
  runs: readonly Run[],
  comparedBy: Stability['comparedBy'],
  keys: readonly (string | null)[] = runs.map(keyOf),
): Stability => {
  const groups = new Map<string, Run[]>()
  for (const [index, run] of runs.entries()) {
    const key = keys[index] ?? null
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), run])
  }
  const leaders = [...groups.values()]
    .map(group => ({
      answer: group[0]!.leading ?? '',
      runs: group.length,
      share: group.length / runs.length,
      interval: wilson(group.length, runs.length),
    }))
    .sort((one, other) => other.runs - one.runs)
  const pairs = leaders.reduce((sum, { runs: count }) => sum + count * (count - 1), 0)
  return {
    runs,
    leaders,
    undecided: runs.length - leaders.reduce((sum, leader) => sum + leader.runs, 0),
    sameTwice: runs.length < 2 ? null : pairs / (runs.length * (runs.length - 1)),
    agreement: spreadOf(runs.map(({ agree, of }) => agree / of)),
    flips: spreadOf(runs.map(({ flips }) => flips)),
    comparedBy,
  }
}
