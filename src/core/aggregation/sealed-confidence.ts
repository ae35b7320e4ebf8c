/** Votes weighed by how sure each seat was before it read the others. */
import type { Rule } from './rule.ts'
import { weighted } from './scores.ts'

/** A seat that gave no confidence counts like the average of those that did. */
const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length

export const sealedConfidence = (): Rule => ({
  id: 'sealed-confidence',
  label: 'Confidence',
  summary:
    'Each vote weighs as much as the seat was sure in the sealed round; later confidence does not count.',
  decide(votes, context) {
    const usual = meanOf(votes.flatMap(vote => vote.sealedConfidence ?? []))
    return weighted(votes, context, vote => vote.sealedConfidence ?? usual)
  },
})
