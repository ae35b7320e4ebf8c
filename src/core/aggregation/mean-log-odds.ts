/** One probability for the table: the mean of log-odds, in which 99% and 90% are far apart. */
import { decided, mean } from './number.ts'
import type { Rule } from './rule.ts'

/** A single 0% or 100% would overrule everybody, so nobody counts as surer than this. */
const surest = 0.001

const logit = (probability: number): number => {
  const held = Math.min(1 - surest, Math.max(surest, probability))
  return Math.log(held / (1 - held))
}

export const meanLogOdds = (): Rule<number> => ({
  id: 'mean-log-odds',
  label: 'Mean log-odds',
  summary: 'Probabilities averaged as log-odds; nobody counts as surer than 99.9 %.',
  decide(votes) {
    const middle = mean(votes.map(vote => logit(vote.value)).sort((one, other) => one - other))
    return decided(middle === undefined ? undefined : 1 / (1 + Math.exp(-middle)))
  },
})
