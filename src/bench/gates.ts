/** Gates: the sealed vote settles a question if enough of the table agrees. */
import type { Context, Rule, Vote } from '../core/aggregation/rule.ts'
import type { Recording } from './votes.ts'

/** The gate of the `hybrid` protocol. */
export const usualGate = 0.8

/** The largest camp's share of the whole table, silent seats included. */
export const supportOf = (votes: readonly Vote[], seats: number): number => {
  const counts = new Map<string, number>()
  for (const { value } of votes) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values()) / Math.max(1, seats)
}

/** The sealed vote if it is clear, otherwise another rule. */
export const gated = (threshold: number, seats: number, open: Rule, otherwise: Rule): Rule => ({
  id: `gate-${otherwise.id}`,
  label: `Gate, else ${otherwise.label}`,
  summary: `The majority if at least ${threshold * 100} % agree, otherwise ${otherwise.label}.`,
  decide: (votes: readonly Vote[], context: Context) =>
    (supportOf(votes, seats) >= threshold - 1e-9 ? open : otherwise).decide(votes, context),
})

export interface Gate {
  readonly threshold: number
  /** Share of all questions that it settles. */
  readonly settled: number
  /** How often the majority is right among those, and among the others. */
  readonly accuracySettled: number | null
  readonly accuracyOpen: number | null
  /** How often any seat is right among the others: the most that an open round could gain. */
  readonly ceilingOpen: number | null
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** What gates at different thresholds would settle, and how well. */
export const gatesOf = (
  recording: Recording,
  votes: readonly (readonly Vote[])[],
  majority: Float64Array,
): Gate[] => {
  const seats = recording.seats.length
  const support = votes.map(given => supportOf(given, seats))
  const anyRight = recording.questions.map(({ gold, votes: given }) => [...given.values()].includes(gold))
  return [1 / 2, 2 / 3, usualGate, 1].map(threshold => {
    const all = [...support.keys()]
    const settled = all.filter(index => support[index]! >= threshold - 1e-9)
    const open = all.filter(index => support[index]! < threshold - 1e-9)
    const right = (some: readonly number[]): number => some.reduce((sum, index) => sum + majority[index]!, 0)
    return {
      threshold,
      settled: settled.length / Math.max(1, all.length),
      accuracySettled: share(right(settled), settled.length),
      accuracyOpen: share(right(open), open.length),
      ceilingOpen: share(open.filter(index => anyRight[index]).length, open.length),
    }
  })
}
