/** Weights from a track record: how much a seat's vote is worth as evidence. */
import type { Labelled, Learning, Rule } from './rule.ts'
import { weighted } from './scores.ts'
import { cappedWeights, largestFamily } from './vendor-cap.ts'

/** A seat starts as if it had been right in 8 of 10 questions, so that three lucky answers don't rule the table. */
const prior = { right: 8, of: 10 }

/** How many questions with a known answer a seat answered, and how many of them correctly. */
export interface Score {
  readonly right: number
  readonly of: number
}

export const shrunkAccuracy = ({ right, of }: Score): number => (right + prior.right) / (of + prior.of)

/** How often a seat is right, shrunk towards the prior. Questions that it didn't answer don't count. */
export const accuracyOf = (seat: string, labelled: readonly Labelled[]): number => {
  const answered = labelled.filter(({ votes }) => votes.has(seat))
  const right = answered.filter(({ votes, gold }) => votes.get(seat) === gold).length
  return shrunkAccuracy({ right, of: answered.length })
}

/** w = log(p(K−1)/(1−p)): zero for a seat that guesses, and never negative. */
export const logOddsWeight = (accuracy: number, options: number): number =>
  Math.max(0, Math.log((accuracy * (Math.max(2, options) - 1)) / (1 - accuracy)))

/** Weighs votes by known accuracies. A seat without one gets the prior. */
export const logOddsOf = (
  accuracies: ReadonlyMap<string, number>,
  options: number,
  familyOf: (seat: string) => string,
): Rule => {
  const unknown = shrunkAccuracy({ right: 0, of: 0 })
  return {
    id: 'log-odds',
    label: 'Log-odds weights',
    summary: `A vote weighs log(p(K−1)/(1−p)), p from labelled questions; one maker has at most ${largestFamily}.`,
    decide(votes, context) {
      const given = votes.map(({ seat }) => ({
        seat,
        weight: logOddsWeight(accuracies.get(seat) ?? unknown, options),
      }))
      const capped = cappedWeights(given, familyOf)
      return weighted(votes, context, vote => capped.get(vote.seat) ?? 0)
    },
  }
}

export const logOdds = ({ seats, options, labelled, familyOf }: Learning): Rule =>
  logOddsOf(new Map(seats.map(seat => [seat, accuracyOf(seat, labelled)])), options, familyOf)
