/** How the sealed vote was divided, and how often such tables were right in the end. */
import { type SealedSplit, sealedSplits } from '../../core/track-record/split.ts'
import { intervalOf } from '../bootstrap.ts'
import type { Debate } from './debates.ts'

export interface SplitFigures {
  readonly level: SealedSplit
  readonly sessions: number
  /** How often the sealed vote of such tables was right, and the last one with its 95 % interval. */
  readonly sealed: number
  readonly last: { readonly mean: number; readonly low: number; readonly high: number }
}

/** Undefined without a quorum. The table is every seat that answered in some round. */
export const splitOf = (rounds: Debate['rounds']): SealedSplit | undefined => {
  const of = rounds[0]!.filter((_, seat) => rounds.some(answers => answers[seat] !== null)).length
  const counts = new Map<string, number>()
  for (const answer of rounds[0]!) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const [first = 0, second = 0, ...rest] = [...counts.values()].sort((one, other) => other - one)
  const answered = rest.reduce((sum, count) => sum + count, first + second)
  if (answered * 2 <= of) return undefined
  if (first === second) return 'tie'
  if (first === of) return 'unanimous'
  if (first * 3 >= of * 2) return 'supermajority'
  return first * 2 > of ? 'majority' : 'plurality'
}

const meanWhere = (values: Float64Array, inside: Float64Array): number => {
  let [sum, count] = [0, 0]
  for (const [index, one] of inside.entries()) {
    sum += one * values[index]!
    count += one
  }
  return sum / count
}

/** Levels that no table had are left out. `resample` gives the mean of each column in every resample. */
export const splitFigures = (
  levels: readonly (SealedSplit | undefined)[],
  sealed: Float64Array,
  last: Float64Array,
  resample: (columns: readonly Float64Array[]) => Float64Array[],
): SplitFigures[] => {
  const present = sealedSplits.filter(level => levels.includes(level))
  // No table had a quorum.
  if (present.length === 0) return []
  const insides = present.map(level => Float64Array.from(levels, one => (one === level ? 1 : 0)))
  const means = resample([
    ...insides.map(inside => inside.map((one, index) => one * last[index]!)),
    ...insides,
  ])
  return present.map((level, place) => {
    const [inside, right, share] = [insides[place]!, means[place]!, means[present.length + place]!]
    // A resample may hold no such table.
    const shares = right.map((value, index) => value / share[index]!).filter(Number.isFinite)
    const [low, high] = intervalOf(shares)
    return {
      level,
      sessions: inside.reduce((sum, one) => sum + one, 0),
      sealed: meanWhere(sealed, inside),
      last: { mean: meanWhere(last, inside), low, high },
    }
  })
}
