/** Rules that learn how good each seat is. They learn on one half of a set and decide the other half. */
import { dawidSkene } from '../../core/aggregation/dawid-skene.ts'
import { logOdds } from '../../core/aggregation/log-odds.ts'
import type { Ballot, Learning } from '../../core/aggregation/rule.ts'
import { shuffled } from '../../core/random.ts'
import { familyOf } from '../votes.ts'
import type { Debate, DebateSet, RoundAnswers } from './debates.ts'
import { votedBy } from './vote.ts'
import { type DebateRule, tiesByLast } from './vote-rules.ts'

export interface LearntRule {
  readonly name: string
  readonly summary: string
  learn(seats: readonly string[], debates: readonly Debate[]): DebateRule['decide']
}

const ballotOf = (seats: readonly string[], answers: RoundAnswers): Ballot =>
  new Map(answers.flatMap((answer, seat) => (answer === null ? [] : [[seats[seat]!, answer] as const])))

const optionsIn = (debates: readonly Debate[]): number => {
  const options = new Set<string>()
  for (const { gold, rounds } of debates)
    for (const answer of [gold, ...rounds.flat()]) if (answer !== null) options.add(answer)
  return Math.max(2, options.size)
}

/** What each seat knows by itself: its sealed answers, and whether they were right. */
const sealedRecord = (seats: readonly string[], debates: readonly Debate[]): Learning => ({
  seats,
  options: optionsIn(debates),
  labelled: debates.map(({ gold, rounds }) => ({ gold, votes: ballotOf(seats, rounds[0]!) })),
  ballots: [],
  familyOf,
})

export const learntRules: readonly LearntRule[] = [
  {
    name: 'log-odds',
    summary: 'The last vote, weighed by how often each seat’s sealed answers were right.',
    learn(seats, debates) {
      const rule = logOdds(sealedRecord(seats, debates))
      return rounds => tiesByLast(votedBy(rule, seats, rounds.at(-1)!), rounds)
    },
  },
  {
    name: 'log-odds sealed',
    summary: 'The sealed vote, weighed by how often each seat’s sealed answers were right.',
    learn(seats, debates) {
      const rule = logOdds(sealedRecord(seats, debates))
      return rounds => tiesByLast(votedBy(rule, seats, rounds[0]!), rounds)
    },
  },
  {
    name: 'dawid-skene',
    summary: 'The last vote, weighed by how often each seat agrees with the others.',
    learn(seats, debates) {
      const ballots = debates.map(({ rounds }) => ballotOf(seats, rounds.at(-1)!))
      const rule = dawidSkene({ ...sealedRecord(seats, debates), labelled: [], ballots })
      return rounds => tiesByLast(votedBy(rule, seats, rounds.at(-1)!), rounds)
    },
  },
]

/** 0 or 1 for each debate. */
export const halvesOf = ({ name, debates }: DebateSet, seed: string): Uint8Array => {
  const halves = new Uint8Array(debates.length)
  const order = shuffled([...debates.keys()], `${seed}/${name}/halves`)
  for (const index of order.slice(0, Math.floor(order.length / 2))) halves[index] = 1
  return halves
}
