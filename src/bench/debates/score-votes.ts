/** Puts a set of debates through every rule, after every round. */
import { kindsOf } from '../kinds.ts'
import type { Debate, DebateSet } from './debates.ts'
import { halvesOf, type LearntRule, learntRules } from './learnt-rules.ts'
import { type ScoredSet, scored } from './scored.ts'
import type { VoteOutcome } from './vote.ts'
import { type DebateRule, voteRules } from './vote-rules.ts'

interface Decider extends Omit<DebateRule, 'decide'> {
  readonly learns: boolean
  decide(rounds: Debate['rounds'], index: number): VoteOutcome
}

/** A rule that learns decides each half by the whole debates of the other one. */
const learntFrom = (set: DebateSet, rule: LearntRule, halves: Uint8Array): Decider['decide'] => {
  const [first, second] = [1, 0].map(half =>
    rule.learn(
      set.seats,
      set.debates.filter((_, index) => halves[index] === half),
    ),
  )
  return (rounds, index) => (halves[index] === 0 ? first! : second!)(rounds)
}

const decidersFor = (set: DebateSet, halves: Uint8Array): Decider[] => [
  ...voteRules.map(rule => ({ ...rule, learns: false })),
  ...learntRules.map(rule => ({ ...rule, learns: true, decide: learntFrom(set, rule, halves) })),
]

/** Without an answer in the last round, no rule is right: the debate has no verdict. */
const hasAnswer = (rounds: Debate['rounds']): boolean => rounds.at(-1)!.some(answer => answer !== null)

export const scoredVotes = (set: DebateSet, seed: string): ScoredSet => {
  const halves = halvesOf(set, seed)
  const stages = Array.from({ length: set.rounds }, (_, round) => {
    const debates = set.debates.map(({ rounds }) => rounds.slice(0, round + 1))
    // Debates with the same answers are decided alike, but each half has rules of its own.
    const kinds = kindsOf(debates.length, index => `${halves[index]}${JSON.stringify(debates[index])}`)
    return { debates, kinds }
  })
  const rules = decidersFor(set, halves).map(({ name, summary, learns, decide }) => ({
    name,
    summary,
    learns,
    outcomes: stages.map(({ debates, kinds }) => {
      const decided = kinds.firsts.map(index =>
        hasAnswer(debates[index]!) ? decide(debates[index]!, index) : [],
      )
      return debates.map((_, index) => decided[kinds.of[index]!]!)
    }),
  }))
  return scored(set, 'votes', set.debates, rules)
}
