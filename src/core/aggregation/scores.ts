/** Turns the scores of options into a decision. */
import type { Context, Decision, Vote } from './rule.ts'

/** Sums that differ by less are equal, or the order of additions could break a tie. */
const precision = 1e-9

/** The option with the highest score, or a tie between all that share it. */
export const highest = (scores: ReadonlyMap<string, number>, context: Context): Decision => {
  const best = Math.max(...scores.values())
  const first = [...scores.keys()].filter(option => scores.get(option)! >= best - precision)
  const rank = (option: string): number => {
    const index = context.options.indexOf(option)
    return index < 0 ? context.options.length : index
  }
  const inOrder = first.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
  return {
    value: inOrder.length === 1 ? inOrder[0]! : null,
    tied: inOrder.length > 1 ? inOrder : [],
    scores: Object.fromEntries(scores),
    notes: [],
  }
}

/** Adds up votes, each with its weight. If no vote has any weight, all count the same. */
export const weighted = (
  votes: readonly Vote[],
  context: Context,
  weightOf: (vote: Vote) => number,
): Decision => {
  const weights = votes.map(weightOf)
  const none = weights.every(weight => weight <= 0)
  const scores = new Map<string, number>()
  for (const [index, { value }] of votes.entries()) {
    scores.set(value, (scores.get(value) ?? 0) + (none ? 1 : Math.max(0, weights[index]!)))
  }
  return highest(scores, context)
}
