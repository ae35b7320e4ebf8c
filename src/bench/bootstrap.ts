/** Intervals by resampling questions. All columns see the same resamples, so their differences are paired. */
import { randomFor } from '../core/random.ts'
import { kindsOf } from './kinds.ts'

/** From, to: the middle 95 %. */
export type Interval = readonly [number, number]

/** Each column's mean in every resample. */
export const resampledMeans = (
  columns: readonly Float64Array[],
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): Float64Array[] => {
  const rows = columns[0]?.length ?? 0
  const random = randomFor(`${seed}/bootstrap`)
  const { of: kinds, firsts } = kindsOf(rows, row => columns.map(column => column[row]).join())
  const values = columns.map(column => Float64Array.from(firsts, row => column[row]!))
  const counts = new Int32Array(firsts.length)
  const means = columns.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0)
    for (let row = 0; row < rows; row++) counts[kinds[Math.floor(random() * rows)]!]!++
    for (const [index, ofKinds] of values.entries()) {
      let sum = 0
      for (let kind = 0; kind < counts.length; kind++) sum += counts[kind]! * ofKinds[kind]!
      means[index]![resample] = sum / rows
    }
  }
  return means
}

const at = (sorted: Float64Array, share: number): number => {
  const place = share * (sorted.length - 1)
  const [lower, upper] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return lower + (upper - lower) * (place - Math.floor(place))
}

export const intervalOf = (means: Float64Array): Interval => {
  const sorted = Float64Array.from(means).sort()
  return [at(sorted, 0.025), at(sorted, 0.975)]
}

export const differenceInterval = (one: Float64Array, other: Float64Array): Interval =>
  intervalOf(one.map((value, index) => value - other[index]!))

export const meanOf = (column: Float64Array): number =>
  column.reduce((sum, value) => sum + value, 0) / Math.max(1, column.length)

/** Mean and interval of one column. */
export const estimated = (column: Float64Array, seed: string, resamples = 1000) => ({
  mean: meanOf(column),
  interval: intervalOf(resampledMeans([column], { resamples, seed })[0]!),
})
