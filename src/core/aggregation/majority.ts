/** The plain vote: most votes win, a tie is called a tie. */
import type { Rule } from './rule.ts'
import { weighted } from './scores.ts'

export const majority = (): Rule => ({
  id: 'majority',
  label: 'Majority',
  summary: 'The option with the most votes; a tie is called a tie.',
  decide: (votes, context) => weighted(votes, context, () => 1),
})
