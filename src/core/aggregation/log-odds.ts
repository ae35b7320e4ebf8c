/** Weights from a track record: how much evidence a vote of this seat is. */
import type { Labelled, Learning, Rule } from './rule.ts'
import { weighted } from './scores.ts'
import { cappedWeights, largestFamily } from './vendor-cap.ts'

/** A seat starts as if it had been right in 8 of 10 questions, so that three lucky ones do not rule the table. */
const prior = { right: 8, of: 10 }

/** How often a seat is right, shrunk to the prior. A question that it left open tells nothing. */
export const accuracyOf = (seat: string, labelled: readonly Labelled[]): number => {
  const answered = labelled.filter(({ votes }) => votes.has(seat))
  const right = answered.filter(({ votes, gold }) => votes.get(seat) === gold).length
  return (right + prior.right) / (answered.length + prior.of)
}

/** w = log(p(K−1)/(1−p)): zero for a seat that guesses, and never below. */
export const logOddsWeight = (accuracy: number, options: number): number =>
  Math.max(0, Math.log((accuracy * (Math.max(2, options) - 1)) / (1 - accuracy)))

export const logOdds = ({ seats, options, labelled, familyOf }: Learning): Rule => {
  const weights = new Map(seats.map(seat => [seat, logOddsWeight(accuracyOf(seat, labelled), options)]))
  return {
    id: 'log-odds',
    label: 'Log-odds weights',
    summary: `A vote weighs log(p(K−1)/(1−p)), p from labelled questions; one maker has at most ${largestFamily}.`,
    decide(votes, context) {
      const given = votes.map(vote => ({ seat: vote.seat, weight: weights.get(vote.seat) ?? 0 }))
      const capped = cappedWeights(given, familyOf)
      return weighted(votes, context, vote => capped.get(vote.seat) ?? 0)
    },
  }
}
