/** The answer that more seats give than expected: the few who know better also know that they are few. */
import type { Rule, Vote } from './rule.ts'
import { highest, weighted } from './scores.ts'

const expected = (votes: readonly Vote[], option: string): number =>
  votes.reduce((sum, vote) => sum + (vote.predicted?.get(option) ?? 0), 0) / votes.length

/** Share minus mean predicted share, over the seats that predicted. */
export const surprisinglyPopular = (): Rule => ({
  id: 'surprisingly-popular',
  label: 'Surprisingly popular',
  summary:
    'The option whose share exceeds what the seats predicted most; shown as a flag, never as the verdict.',
  decide(votes, context) {
    const predicting = votes.filter(vote => vote.predicted)
    if (predicting.length === 0) return weighted(votes, context, () => 1)
    const options = [...new Set(votes.map(vote => vote.value))]
    const share = (option: string): number =>
      votes.filter(vote => vote.value === option).length / votes.length
    return highest(
      new Map(options.map(option => [option, share(option) - expected(predicting, option)])),
      context,
    )
  },
})

/** The option to flag: it is surprisingly popular, but doesn't have the most votes. */
export const surpriseIn = (...[votes, context]: Parameters<Rule['decide']>): string | null => {
  if (!votes.some(vote => vote.predicted)) return null
  const surprising = surprisinglyPopular().decide(votes, context).value
  return surprising === weighted(votes, context, () => 1).value ? null : surprising
}
