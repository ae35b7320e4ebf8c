/** How right each rule is on each debate of a set. */

import type { SealedSplit } from '../../core/track-record/split.ts'
import { meanOf } from '../bootstrap.ts'
import { type Directions, flipsIn, overturned } from './changes.ts'
import type { Debate, DebateSet } from './debates.ts'
import { splitOf } from './sealed-splits.ts'
import type { VoteOutcome } from './vote.ts'

/** What one rule decided. */
export interface Decided {
  readonly name: string
  /** One plain sentence. */
  readonly summary: string
  /** It was learnt on the other half of the set. */
  readonly learns: boolean
  /** For each round and each debate: what it decides with the rounds so far. */
  readonly outcomes: readonly (readonly VoteOutcome[])[]
  /** For each debate, if the answers are probabilities: the squared distance to what happened. */
  readonly brier?: Float64Array
}

/** One rule on one set. */
export interface Column extends Omit<Decided, 'outcomes'> {
  /** For each debate: 1 right, 0 wrong, a half in a tie of two. */
  readonly credit: Float64Array
  /** For each debate: 1 in a tie. */
  readonly tied: Uint8Array
  /** How often the rule would have been right after each round. */
  readonly byRound: readonly number[]
}

export interface ScoredSet {
  readonly name: string
  readonly source: string
  readonly kind: 'votes' | 'probabilities'
  readonly sessions: number
  readonly seats: number
  readonly rounds: number
  readonly flips: Directions
  /** Sealed leaders that lost their lead to another answer. */
  readonly overturned: Directions
  /** How the sealed vote of each debate was divided. */
  readonly splits: readonly (SealedSplit | undefined)[]
  /** `last` is the first. */
  readonly columns: readonly Column[]
}

/** A tie between two is half right: what a coin would get on average. */
const creditOf = (outcome: VoteOutcome, gold: string): number =>
  outcome.includes(gold) ? 1 / outcome.length : 0

/** `debates` are those of the set, with the sides that seats took if they gave probabilities. */
export const scored = (
  { name, source, seats, rounds }: DebateSet,
  kind: ScoredSet['kind'],
  debates: readonly Debate[],
  rules: readonly Decided[],
): ScoredSet => {
  const credits = (outcomes: readonly VoteOutcome[]): Float64Array =>
    Float64Array.from(outcomes, (outcome, index) => creditOf(outcome, debates[index]!.gold))
  const columns = rules.map(({ outcomes, ...rule }): Column => {
    const decided = outcomes.at(-1)!
    return {
      ...rule,
      credit: credits(decided),
      tied: Uint8Array.from(decided, outcome => (outcome.length > 1 ? 1 : 0)),
      byRound: outcomes.map(stage => meanOf(credits(stage))),
    }
  })
  const [sealed, last] = [rules[0]!.outcomes[0]!, rules[0]!.outcomes.at(-1)!]
  const leaders = debates.map(({ gold }, index) => ({ gold, sealed: sealed[index]!, last: last[index]! }))
  return {
    name,
    source,
    kind,
    sessions: debates.length,
    seats: seats.length,
    rounds,
    flips: flipsIn(debates),
    overturned: overturned(leaders),
    splits: debates.map(debate => splitOf(debate.rounds)),
    columns,
  }
}
