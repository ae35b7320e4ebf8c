/** Two methods on the same questions: the difference of their means, its interval, and McNemar's test. */
import { differenceInterval, type Interval, meanOf, resampledMeans } from './bootstrap.ts'
import { type McNemar, mcnemar } from './mcnemar.ts'

export interface PairedDifference extends McNemar {
  readonly difference: number
  readonly interval: Interval
}

const resamples = 2000

/** Questions are resampled together, so those that are hard for both don't widen the interval. */
export const pairedDifference = (one: Float64Array, other: Float64Array, seed: string): PairedDifference => {
  const [mine, theirs] = resampledMeans([one, other], { resamples, seed })
  return {
    difference: meanOf(one) - meanOf(other),
    interval: differenceInterval(mine!, theirs!),
    ...mcnemar(one, other),
  }
}
