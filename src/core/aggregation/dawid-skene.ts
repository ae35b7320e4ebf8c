/** One-coin Dawid–Skene: learns how good each seat is from how often it agrees with the others, without an answer key. */
import { logOddsWeight } from './log-odds.ts'
import type { Ballot, Learning, Rule } from './rule.ts'
import { weighted } from './scores.ts'

const turns = 30
/** A seat starts as if it had been right in 4 of 5. */
const prior = { right: 4, of: 5 }

/** How likely each answer to a question is right. The first turn uses shares of the vote. */
const beliefs = (ballot: Ballot, weights: ReadonlyMap<string, number> | undefined): Map<string, number> => {
  const scores = new Map<string, number>()
  for (const [seat, choice] of ballot) {
    scores.set(choice, (scores.get(choice) ?? 0) + (weights ? (weights.get(seat) ?? 0) : 1))
  }
  const best = Math.max(...scores.values())
  const raised = [...scores].map(([choice, score]): [string, number] => [
    choice,
    weights ? Math.exp(score - best) : score,
  ])
  const sum = raised.reduce((before, [, value]) => before + value, 0)
  return new Map(raised.map(([choice, value]) => [choice, value / sum]))
}

const accuraciesFrom = (
  { seats, ballots }: Learning,
  weights: ReadonlyMap<string, number> | undefined,
): Map<string, number> => {
  const right = new Map(seats.map(seat => [seat, prior.right]))
  const answered = new Map(seats.map(seat => [seat, prior.of]))
  for (const ballot of ballots) {
    const believed = beliefs(ballot, weights)
    for (const [seat, choice] of ballot) {
      right.set(seat, (right.get(seat) ?? prior.right) + believed.get(choice)!)
      answered.set(seat, (answered.get(seat) ?? prior.of) + 1)
    }
  }
  return new Map([...right].map(([seat, count]) => [seat, count / answered.get(seat)!]))
}

/** How often each seat is right, judged by agreement alone. Errors that seats share look like knowledge here. */
export const estimatedAccuracies = (learning: Learning): Map<string, number> => {
  let accuracies = accuraciesFrom(learning, undefined)
  for (let turn = 1; turn < turns; turn++) {
    const weights = [...accuracies].map(([seat, accuracy]): [string, number] => [
      seat,
      logOddsWeight(accuracy, learning.options),
    ])
    accuracies = accuraciesFrom(learning, new Map(weights))
  }
  return accuracies
}

export const dawidSkene = (learning: Learning): Rule => {
  const accuracies = estimatedAccuracies(learning)
  return {
    id: 'dawid-skene',
    label: 'Dawid–Skene',
    summary: 'Log-odds weights, with accuracies learnt from agreement alone: no labels.',
    decide: (votes, context) =>
      weighted(votes, context, ({ seat }) => logOddsWeight(accuracies.get(seat) ?? 0.8, learning.options)),
  }
}
