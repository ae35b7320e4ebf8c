/** Intervals by resampling questions. All columns see the same resamples, so their differences are paired. */
import { randomFor } from '../core/random.ts'

/** From, to: the middle 95 %. */
export type Interval = readonly [number, number]

/** Each column's mean in every resample. */
export const resampledMeans = (
  columns: readonly Float64Array[],
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): Float64Array[] => {
  const rows = columns[0]?.length ?? 0
  const random = randomFor(`${seed}/bootstrap`)
  const picked = new Int32Array(rows)
  const means = columns.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    for (let row = 0; row < rows; row++) picked[row] = Math.floor(random() * rows)
    for (const [index, column] of columns.entries()) {
      let sum = 0
      for (let row = 0; row < rows; row++) sum += column[picked[row]!]!
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
