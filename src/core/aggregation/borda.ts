/** The Borda count, also for incomplete lists. */
import type { Rule } from './rule.ts'
import { highest } from './scores.ts'

type Ranking = readonly string[]

/** Points by rank. Items that a list leaves out share the points that are left, so that a short list counts as much. */
const pointsOf = (ranking: Ranking, options: readonly string[]): Map<string, number> => {
  const listed = ranking.filter(item => options.includes(item))
  const missing = options.length - listed.length
  const rest = (missing - 1) / 2
  return new Map(
    options.map(option => {
      const rank = listed.indexOf(option)
      return [option, rank < 0 ? rest : options.length - 1 - rank]
    }),
  )
}

export const borda = (): Rule<Ranking> => ({
  id: 'borda',
  label: 'Borda',
  summary: 'Points by place; items that a list leaves out share the points that are left.',
  decide(votes, context) {
    const { options } = context
    const points = votes.map(vote => pointsOf(vote.value, options))
    const scores = new Map(
      options.map(option => [option, points.reduce((sum, given) => sum + given.get(option)!, 0)]),
    )
    const first = highest(scores, context)
    const order = [...options].sort(
      (one, other) => scores.get(other)! - scores.get(one)! || options.indexOf(one) - options.indexOf(other),
    )
    const decided = votes.length > 0 && first.tied.length === 0
    return {
      value: decided ? order : null,
      tied: votes.length > 0 ? first.tied : [],
      scores: first.scores,
      notes: [],
    }
  },
})
