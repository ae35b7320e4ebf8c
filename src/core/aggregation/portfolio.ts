/**
 * Weights as an investor would spread money: seats that are right on the same questions are one bet.
 * Labelled questions give p, how often each seat is right, and S, the covariance of being right, shrunk halfway to one
 * common variance and covariance. The weights are S⁻¹(p − 1/K), none below zero. At least a quarter of all weight is shared
 * equally, so that 200 questions can't silence a seat, and more while labels are few (decision 36).
 */
import { solve } from './linear.ts'
import type { Labelled, Learning, Rule } from './rule.ts'
import { weighted } from './scores.ts'

const shrinkage = 0.5
const equalPart = 0.25
/** A seat starts as if it had been as good as the whole table in this many questions. */
const priorQuestions = 20

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const rightness = (seat: string, labelled: readonly Labelled[]): number[] =>
  labelled.map(({ votes, gold }) => (votes.get(seat) === gold ? 1 : 0))

const covariances = (columns: readonly (readonly number[])[]): number[][] => {
  const centred = columns.map(column => {
    const middle = mean(column)
    return column.map(value => value - middle)
  })
  const samples = Math.max(1, (columns[0]?.length ?? 0) - 1)
  return centred.map(one =>
    centred.map(other => one.reduce((sum, value, row) => sum + value * other[row]!, 0) / samples),
  )
}

/** Halfway to a table whose seats are all alike: 200 questions are too few to measure every pair. */
const shrunk = (matrix: readonly (readonly number[])[]): number[][] => {
  const own = mean(matrix.map((row, index) => row[index]!))
  const shared = mean(matrix.flatMap((row, index) => row.filter((_, column) => column !== index)))
  return matrix.map((row, index) =>
    row.map((value, column) => {
      const target = index === column ? own + 1e-6 : shared
      return (1 - shrinkage) * value + shrinkage * target
    }),
  )
}

/** S⁻¹e without negative weights: a seat below zero is removed, and the others are weighed again. */
const positiveWeights = (matrix: readonly (readonly number[])[], edge: readonly number[]): number[] => {
  let kept = [...edge.keys()]
  for (;;) {
    const part = kept.map(row => kept.map(column => matrix[row]![column]!))
    const solved = solve(
      part,
      kept.map(row => edge[row]!),
    )
    const staying = kept.filter((_, index) => (solved[index] ?? 0) > 0)
    if (staying.length === kept.length || staying.length === 0) {
      return [...edge.keys()].map(seat => (kept.includes(seat) ? (solved[kept.indexOf(seat)] ?? 0) : 0))
    }
    kept = staying
  }
}

/** With so many labelled questions, half of what may be learnt is learnt: with few, all seats count almost the same. */
const halfLearnt = 50

/** The weight of each seat. The weights add up to 1. */
export const portfolioWeights = (
  { seats, options, labelled }: Learning,
  half = halfLearnt,
): Map<string, number> => {
  const columns = seats.map(seat => rightness(seat, labelled))
  const table = labelled.length === 0 ? 0.8 : mean(columns.map(mean))
  const edge = columns.map(
    column =>
      (mean(column) * labelled.length + table * priorQuestions) / (labelled.length + priorQuestions) -
      1 / Math.max(2, options),
  )
  const raw = positiveWeights(shrunk(covariances(columns)), edge).map(weight => Math.max(0, weight))
  const sum = raw.reduce((before, weight) => before + weight, 0)
  const equal = 1 / seats.length
  const learnt = raw.map(weight => (sum > 0 && Number.isFinite(sum) ? weight / sum : equal))
  const part = labelled.length === 0 ? 0 : (1 - equalPart) * (labelled.length / (labelled.length + half))
  return new Map(seats.map((seat, index) => [seat, part * learnt[index]! + (1 - part) * equal]))
}

export const portfolio = (learning: Learning): Rule => {
  const weights = portfolioWeights(learning)
  return {
    id: 'portfolio',
    label: 'Portfolio',
    summary:
      'Labelled questions tell how good each seat is and who is right together; those share their weight.',
    decide: (votes, context) => weighted(votes, context, ({ seat }) => weights.get(seat) ?? 0),
  }
}
