/** Rules that only the bench measures, and the list of all rules. A new rule also gets a line in the list. */

import {
  type Decision,
  highest,
  logOddsOf,
  logOddsWeight,
  majority,
  type Rule,
  shrunkAccuracy,
  type Vote,
  weighted,
} from '../core/rules.ts'

/** The votes of one question: seat to choice. */
export type Ballot = ReadonlyMap<string, string>

/** A question whose right answer is known. */
export interface Labelled {
  readonly votes: Ballot
  readonly gold: string
}

/** What rules may learn from before they decide. */
export interface Learning {
  readonly seats: readonly string[]
  /** How many options a question has. */
  readonly options: number
  readonly labelled: readonly Labelled[]
  /** Questions without their answers. */
  readonly ballots: readonly Ballot[]
  /** The maker of a seat's model: models of one maker make the same errors. */
  readonly familyOf: (seat: string) => string
}

// logOdds: Votes weighed by labelled questions.

/** How often a seat is right, shrunk towards the prior. Questions that it didn't answer don't count. */
export const accuracyOf = (seat: string, labelled: readonly Labelled[]): number => {
  const answered = labelled.filter(({ votes }) => votes.has(seat))
  const right = answered.filter(({ votes, gold }) => votes.get(seat) === gold).length
  return shrunkAccuracy({ right, of: answered.length })
}

export const logOdds = ({ seats, options, labelled, familyOf }: Learning): Rule =>
  logOddsOf(new Map(seats.map(seat => [seat, accuracyOf(seat, labelled)])), options, familyOf)

// meanLogOdds: One probability for the table: the mean of log-odds, in which 99% and 90% are far apart.

export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value / values.length, 0)

const decided = (value: number | undefined, notes: readonly string[] = []): Decision<number> => ({
  value: value ?? null,
  tied: [],
  scores: {},
  notes,
})

/** A single 0% or 100% would overrule everybody, so nobody counts as surer than this. */
const surest = 0.001

const logit = (probability: number): number => {
  const held = Math.min(1 - surest, Math.max(surest, probability))
  return Math.log(held / (1 - held))
}

export const meanLogOdds = (): Rule<number> => ({
  id: 'mean-log-odds',
  label: 'Mean log-odds',
  summary: 'Probabilities averaged as log-odds; nobody counts as surer than 99.9 %.',
  decide(votes) {
    const middle = mean(votes.map(vote => logit(vote.value)).sort((one, other) => one - other))
    return decided(middle === undefined ? undefined : 1 / (1 + Math.exp(-middle)))
  },
})

// sealedConfidence: Votes weighed by how sure each seat was before it read the others.

/** A seat that gave no confidence counts like the average of those that did. */
const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length

export const sealedConfidence = (): Rule => ({
  id: 'sealed-confidence',
  label: 'Confidence',
  summary:
    'Each vote weighs as much as the seat was sure in the sealed round; later confidence does not count.',
  decide(votes, context) {
    const usual = meanOf(votes.flatMap(vote => vote.sealedConfidence ?? []))
    return weighted(votes, context, vote => vote.sealedConfidence ?? usual)
  },
})

// trajectory: The trajectory vote: a hedge against open rounds that made answers worse.

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

// dawidSkene: One-coin Dawid–Skene: learns how good each seat is from how often it agrees with the others, without an answer key.

const turns = 30
/** A seat starts as if it had been right in 4 of 5. */
const dawidSkeneStart = { right: 4, of: 5 }

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
  const right = new Map(seats.map(seat => [seat, dawidSkeneStart.right]))
  const answered = new Map(seats.map(seat => [seat, dawidSkeneStart.of]))
  for (const ballot of ballots) {
    const believed = beliefs(ballot, weights)
    for (const [seat, choice] of ballot) {
      right.set(seat, (right.get(seat) ?? dawidSkeneStart.right) + believed.get(choice)!)
      answered.set(seat, (answered.get(seat) ?? dawidSkeneStart.of) + 1)
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

// linear: Linear equations with as many unknowns as a table has seats.

/** Solves A·x = b by elimination with pivots. An unknown whose column has no pivot is zero. */
export const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
  const rows = matrix.map((row, index) => [...row, right[index]!])
  const size = rows.length
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    }
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    const lead = rows[column]![column]!
    if (Math.abs(lead) < 1e-12) continue
    for (let row = 0; row < size; row++) {
      if (row === column) continue
      const factor = rows[row]![column]! / lead
      if (factor === 0) continue
      for (let index = column; index <= size; index++) rows[row]![index]! -= factor * rows[column]![index]!
    }
  }
  return rows.map((row, index) => (Math.abs(row[index]!) < 1e-12 ? 0 : row[size]! / row[index]!))
}

// portfolio: Weights as an investor would spread money: seats that are right on the same questions are one bet.
// Labelled questions give p, how often each seat is right, and S, the covariance of being right, shrunk halfway to one
// common variance and covariance. The weights are S⁻¹(p − 1/K), none below zero. At least a quarter of all weight is shared
// equally, so that 200 questions can't silence a seat, and more while labels are few (decision 36).

const shrinkage = 0.5
const equalPart = 0.25
/** A seat starts as if it had been as good as the whole table in this many questions. */
const priorQuestions = 20

const meanOfColumn = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const rightness = (seat: string, labelled: readonly Labelled[]): number[] =>
  labelled.map(({ votes, gold }) => (votes.get(seat) === gold ? 1 : 0))

const covariances = (columns: readonly (readonly number[])[]): number[][] => {
  const centred = columns.map(column => {
    const middle = meanOfColumn(column)
    return column.map(value => value - middle)
  })
  const samples = Math.max(1, (columns[0]?.length ?? 0) - 1)
  return centred.map(one =>
    centred.map(other => one.reduce((sum, value, row) => sum + value * other[row]!, 0) / samples),
  )
}

/** Halfway to a table whose seats are all alike: 200 questions are too few to measure every pair. */
const shrunk = (matrix: readonly (readonly number[])[]): number[][] => {
  const own = meanOfColumn(matrix.map((row, index) => row[index]!))
  const shared = meanOfColumn(matrix.flatMap((row, index) => row.filter((_, column) => column !== index)))
  return matrix.map((row, index) =>
    row.map((value, column) => {
      const target = index === column ? own + 1e-6 : shared
      return (1 - shrinkage) * value + shrinkage * target
    }),
  )
}

/** S⁻¹e without negative weights: a seat below zero is removed, and the others are weighed again. */
const positiveWeights = (matrix: readonly (readonly number[])[], edge: readonly number[]): number[] => {
  let kept = [...edge.keys()]
  for (;;) {
    const part = kept.map(row => kept.map(column => matrix[row]![column]!))
    const solved = solve(
      part,
      kept.map(row => edge[row]!),
    )
    const staying = kept.filter((_, index) => (solved[index] ?? 0) > 0)
    if (staying.length === kept.length || staying.length === 0) {
      return [...edge.keys()].map(seat => (kept.includes(seat) ? (solved[kept.indexOf(seat)] ?? 0) : 0))
    }
    kept = staying
  }
}

/** With so many labelled questions, half of what may be learnt is learnt: with few, all seats count almost the same. */
const halfLearnt = 50

/** The weight of each seat. The weights add up to 1. */
export const portfolioWeights = (
  { seats, options, labelled }: Learning,
  half = halfLearnt,
): Map<string, number> => {
  const columns = seats.map(seat => rightness(seat, labelled))
  const table = labelled.length === 0 ? 0.8 : meanOfColumn(columns.map(meanOfColumn))
  const edge = columns.map(
    column =>
      (meanOfColumn(column) * labelled.length + table * priorQuestions) / (labelled.length + priorQuestions) -
      1 / Math.max(2, options),
  )
  const raw = positiveWeights(shrunk(covariances(columns)), edge).map(weight => Math.max(0, weight))
  const sum = raw.reduce((before, weight) => before + weight, 0)
  const equal = 1 / seats.length
  const learnt = raw.map(weight => (sum > 0 && Number.isFinite(sum) ? weight / sum : equal))
  const part = labelled.length === 0 ? 0 : (1 - equalPart) * (labelled.length / (labelled.length + half))
  return new Map(seats.map((seat, index) => [seat, part * learnt[index]! + (1 - part) * equal]))
}

export const portfolio = (learning: Learning): Rule => {
  const weights = portfolioWeights(learning)
  return {
    id: 'portfolio',
    label: 'Portfolio',
    summary:
      'Labelled questions tell how good each seat is and who is right together; those share their weight.',
    decide: (votes, context) => weighted(votes, context, ({ seat }) => weights.get(seat) ?? 0),
  }
}

// aggregation: Every aggregation rule. A new one also gets a line here.

/** What a rule for choices needs besides one vote for each seat. */
export type Need = 'nothing' | 'rounds' | 'confidence' | 'labels' | 'ballots'

export interface ChoiceEntry {
  readonly needs: Need
  create(learning: Learning): Rule
}

export const choiceRules: readonly ChoiceEntry[] = [
  { needs: 'nothing', create: majority },
  { needs: 'rounds', create: trajectory },
  { needs: 'confidence', create: sealedConfidence },
  { needs: 'labels', create: logOdds },
  { needs: 'ballots', create: dawidSkene },
  { needs: 'labels', create: portfolio },
]
