/** The ways to decide a debate by its votes that nothing has to be learnt for. Decision 28 says what each means. */
import type { Vote } from '../../core/aggregation/rule.ts'
import { trajectory } from '../../core/aggregation/trajectory.ts'
import { changesIn } from './changes.ts'
import type { Debate, RoundAnswers } from './debates.ts'
import { leadersOf, leading, plainVote, type VoteOutcome } from './vote.ts'

export interface DebateRule {
  readonly name: string
  /** One plain sentence. */
  readonly summary: string
  decide(rounds: Debate['rounds']): VoteOutcome
}

const last = (rounds: Debate['rounds']): VoteOutcome => plainVote(rounds.at(-1)!)

/** Nothing that the last vote decides may become a tie. */
export const tiesByLast = (outcome: VoteOutcome, rounds: Debate['rounds']): VoteOutcome =>
  outcome.length === 1 ? outcome : last(rounds)

const trajectoryRule = trajectory()
const byTrajectory = (rounds: Debate['rounds']): VoteOutcome => {
  const seats = rounds[0]!.map((_, seat) => rounds.map(answers => answers[seat]!))
  const votes = seats.flatMap((answers, seat): Vote[] => {
    const value = answers.findLast(answer => answer !== null) ?? null
    return value === null ? [] : [{ seat: String(seat), value, rounds: answers }]
  })
  return votes.length === 0 ? [] : leadersOf(trajectoryRule.decide(votes, { options: [] }))
}

const lastThenSealed = (rounds: Debate['rounds']): VoteOutcome => {
  const leaders = last(rounds)
  if (leaders.length < 2) return leaders
  const sealed = new Map(leaders.map(answer => [answer, 0]))
  for (const answer of rounds[0]!) {
    if (answer !== null && sealed.has(answer)) sealed.set(answer, sealed.get(answer)! + 1)
  }
  return leading(sealed)
}

const herdingFallback = (rounds: Debate['rounds']): VoteOutcome => {
  const leaders = last(rounds)
  const changes = changesIn(rounds)
  const followed = changes.filter(({ to }) => to === leaders[0]).length
  return leaders.length === 1 && followed * 2 > changes.length ? plainVote(rounds[0]!) : leaders
}

/** The one answer that more than this share of those who answered gave. */
const withShare = (answers: RoundAnswers, enough: (votes: number, of: number) => boolean): VoteOutcome => {
  const given = answers.filter(answer => answer !== null)
  const leaders = plainVote(answers)
  const votes = given.filter(answer => answer === leaders[0]).length
  return leaders.length === 1 && enough(votes, given.length) ? leaders : []
}

const sealedLeaderStays = (rounds: Debate['rounds']): VoteOutcome =>
  tiesByLast(
    withShare(rounds[0]!, (votes, of) => votes * 2 > of),
    rounds,
  )

const firstTwoThirds = (rounds: Debate['rounds']): VoteOutcome => {
  for (const answers of rounds) {
    const agreed = withShare(answers, (votes, of) => votes * 3 >= of * 2)
    if (agreed.length > 0) return agreed
  }
  return last(rounds)
}

const allRounds = (rounds: Debate['rounds']): VoteOutcome => tiesByLast(plainVote(rounds.flat()), rounds)

/** Points of Free-MAD: for a first answer, for leaving one, for changing to one, for keeping one. */
const points = { first: 20, left: -25, joined: 30, kept: 20 }

const freeMad = (rounds: Debate['rounds']): VoteOutcome => {
  const scores = new Map<string, number>()
  const add = (answer: string, score: number): void => {
    scores.set(answer, (scores.get(answer) ?? 0) + score)
  }
  const before: (string | null)[] = []
  for (const [index, answers] of rounds.entries()) {
    const part = 1 / (index + 1)
    for (const [seat, answer] of answers.entries()) {
      if (answer === null) continue
      const old = before[seat] ?? null
      if (old === null) add(answer, points.first * part)
      else if (old === answer) add(answer, points.kept * part)
      else {
        add(old, points.left * part)
        add(answer, points.joined * part)
      }
      before[seat] = answer
    }
  }
  return tiesByLast(leading(scores), rounds)
}

/** `last` comes first: the others are compared with it. */
export const voteRules: readonly DebateRule[] = [
  { name: 'last', summary: 'The plain vote of the last round.', decide: last },
  {
    name: 'last, ties by sealed',
    summary: 'The last vote; of tied answers, the one with more sealed votes.',
    decide: lastThenSealed,
  },
  {
    name: 'trajectory',
    summary: 'The sealed round counts once, all open rounds together once.',
    decide: byTrajectory,
  },
  {
    name: 'trajectory, ties by last',
    summary: 'The trajectory vote; if it ties, the last vote.',
    decide: rounds => tiesByLast(byTrajectory(rounds), rounds),
  },
  { name: 'sealed', summary: 'The plain vote of the sealed round.', decide: rounds => plainVote(rounds[0]!) },
  {
    name: 'herding fallback',
    summary: 'The sealed vote if most changes of mind went to the leading answer, otherwise the last vote.',
    decide: herdingFallback,
  },
  {
    name: 'sealed leader stays',
    summary: 'The answer that had a sealed majority; if none had, the last vote.',
    decide: sealedLeaderStays,
  },
  {
    name: 'all rounds',
    summary: 'Every answer of every round counts once; if that ties, the last vote.',
    decide: allRounds,
  },
  {
    name: 'first two thirds',
    summary: 'The first round in which two thirds agree decides; if none does, the last vote.',
    decide: firstTwoThirds,
  },
  {
    name: 'free-mad',
    summary:
      'Points for first answers, for keeping and changing to one, less for leaving one (Cui et al. 2025).',
    decide: freeMad,
  },
]
