/** Intervals by resampling whole sets: sessions of one set share models and questions, so they aren't independent. */
import { randomFor } from '../../core/random.ts'

/** Each column's mean over all sessions of the drawn sets, in every resample. `sizes` are the sessions of each set. */
export const meansOverSets = (
  columns: readonly Float64Array[],
  sizes: readonly number[],
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): Float64Array[] => {
  const sums = columns.map(column => {
    let place = 0
    return sizes.map(size => {
      let sum = 0
      for (const end = place + size; place < end; place++) sum += column[place]!
      return sum
    })
  })
  const random = randomFor(`${seed}/sets`)
  const means = columns.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    const drawn = sizes.map(() => Math.floor(random() * sizes.length))
    const sessions = drawn.reduce((sum, set) => sum + sizes[set]!, 0)
    for (const [index, ofSets] of sums.entries()) {
      let sum = 0
      for (const set of drawn) sum += ofSets[set]!
      means[index]![resample] = sum / sessions
    }
  }
  return means
}
