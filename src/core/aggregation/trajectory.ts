/** The trajectory vote: a hedge against open rounds that made answers worse. */
import type { Rule, Vote } from './rule.ts'
import { highest } from './scores.ts'

/** Each round's choice with its weight. A seat doesn't gain weight by missing the sealed round. */
const stepsOf = (vote: Vote): [string, number][] => {
  const [sealed = null, ...later] = vote.rounds ?? [vote.value]
  const open = later.filter(choice => choice !== null)
  const steps = open.map((choice): [string, number] => [choice, 1 / open.length])
  return sealed === null ? steps : [[sealed, 1], ...steps]
}

export const trajectory = (): Rule => ({
  id: 'trajectory',
  label: 'Trajectory vote',
  summary: 'The sealed vote counts once, and all open rounds together count once.',
  decide(votes, context) {
    const scores = new Map<string, number>()
    for (const [choice, weight] of votes.flatMap(stepsOf))
      scores.set(choice, (scores.get(choice) ?? 0) + weight)
    return highest(scores, context)
  },
})
