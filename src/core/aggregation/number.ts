/** One number for the table: median, geometric mean, trimmed mean. */
import type { Decision, Rule } from './rule.ts'

/** The middle value. On a log scale, the geometric mean of the middle two. */
export const median = (values: readonly number[], scale: 'linear' | 'log' = 'linear'): number | undefined => {
  const sorted = [...values].sort((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) return undefined
  if (upper === lower) return upper
  return scale === 'log' && lower > 0
    ? Number((Math.sqrt(lower) * Math.sqrt(upper)).toPrecision(6))
    : lower / 2 + upper / 2
}

export interface Quartiles {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** The medians of the lower half, of all values, and of the upper half. A middle value belongs to both halves. */
export const quartilesOf = (values: readonly number[], scale: 'linear' | 'log'): Quartiles | undefined => {
  const sorted = [...values].sort((one, other) => one - other)
  const half = Math.ceil(sorted.length / 2)
  const middle = median(sorted, scale)
  if (middle === undefined) return undefined
  return {
    low: median(sorted.slice(0, half), scale) ?? middle,
    median: middle,
    high: median(sorted.slice(-half), scale) ?? middle,
  }
}

export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value / values.length, 0)

const ascending = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other)

export const decided = (value: number | undefined, notes: readonly string[] = []): Decision<number> => ({
  value: value ?? null,
  tied: [],
  scores: {},
  notes,
})

export const middle = (): Rule<number> => ({
  id: 'median',
  label: 'Median',
  summary: 'The middle value.',
  decide: votes => decided(median(votes.map(vote => vote.value))),
})

export const geometric = (): Rule<number> => ({
  id: 'geometric',
  label: 'Geometric mean',
  summary:
    'The mean on a log scale, for quantities that span magnitudes; values of zero and below are left out.',
  decide(votes) {
    const positive = ascending(votes.map(vote => vote.value)).filter(value => value > 0)
    const logs = mean(positive.map(Math.log))
    const left = votes.length - positive.length
    return decided(
      logs === undefined ? undefined : Math.exp(logs),
      left > 0 ? [`Left out because not above zero: ${left}.`] : [],
    )
  },
})

/** With fewer values, cutting at both ends would leave too few for a mean. */
const enoughToTrim = 10

export const trimmed = (): Rule<number> => ({
  id: 'trimmed',
  label: 'Trimmed mean',
  summary: 'The mean without the lowest and highest tenth; with fewer than ten values, the median.',
  decide(votes) {
    const values = ascending(votes.map(vote => vote.value))
    if (values.length < enoughToTrim) return decided(median(values), ['Fewer than ten values: the median.'])
    const cut = Math.floor(values.length / 10)
    return decided(mean(values.slice(cut, values.length - cut)))
  },
})
