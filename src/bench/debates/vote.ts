/** The vote of one round. */
import { majority } from '../../core/aggregation/majority.ts'
import type { Decision, Rule, Vote } from '../../core/aggregation/rule.ts'
import { highest } from '../../core/aggregation/scores.ts'
import type { RoundAnswers } from './debates.ts'

/** The answers that lead: one decides, several are a tie, and none means that nobody answered. */
export type VoteOutcome = readonly string[]

export const leadersOf = ({ value, tied }: Decision): VoteOutcome => (value === null ? tied : [value])

export const leading = (scores: ReadonlyMap<string, number>): VoteOutcome =>
  scores.size === 0 ? [] : leadersOf(highest(scores, { options: [] }))

/** The votes of one round, weighed by a rule of the program. If all seats say the same, every rule says it too. */
export const votedBy = (rule: Rule, seats: readonly string[], answers: RoundAnswers): VoteOutcome => {
  const first = answers.find(answer => answer !== null)
  if (first != null && answers.every(answer => answer === null || answer === first)) return [first]
  const votes = answers.flatMap((value, seat): Vote[] =>
    value === null ? [] : [{ seat: seats[seat] ?? String(seat), value }],
  )
  return votes.length === 0 ? [] : leadersOf(rule.decide(votes, { options: [] }))
}

const plain = majority()
export const plainVote = (answers: RoundAnswers): VoteOutcome => votedBy(plain, [], answers)
