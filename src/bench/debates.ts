/** Recorded debates: what each seat answered in each round, and the right answer. */
import { randomFor, shuffled, UsageError } from '../core/basics.ts'
import { type Decision, highest, majority, median, type Rule, type Vote } from '../core/rules.ts'
import { type SealedSplit, sealedSplits } from '../count/splits.ts'
import {
  familyOf,
  intervalOf,
  kindsOf,
  meanOf,
  type RecordedTable,
  recordedTable,
  resampledMeans,
  seatsNamed,
} from './replay.ts'
import { type Ballot, dawidSkene, type Learning, logOdds, mean, meanLogOdds, trajectory } from './rules.ts'

/** One round: an answer for each seat, in the order of the seats; null if there was none that could be read. */
export type RoundAnswers = readonly (string | null)[]

export interface Debate {
  readonly id: string
  readonly gold: string
  /** The sealed round first. */
  readonly rounds: readonly RoundAnswers[]
}

/** The debates of one file. */
export interface DebateSet {
  readonly name: string
  /** What stands before the first `_` of the name: sets of one source share models or questions. */
  readonly source: string
  readonly seats: readonly string[]
  /** How many, the sealed one included. */
  readonly rounds: number
  readonly debates: readonly Debate[]
}

/** More would be a file of another kind. */
const mostSeats = 1000
const mostRounds = 100
const mostDebates = 200_000

/** "gpt5@0": seat gpt5, sealed round. A date behind the sign, as in "sonnet@20240620", is part of a model's name. */
const columnForm = /^(.+)@(\d{1,4})$/s

/** Votes have no rounds: no column ends in @ and a number. */
export const hasRounds = ({ columns }: RecordedTable): boolean =>
  columns.some(column => columnForm.test(column))

interface DebateColumn {
  readonly seat: string
  readonly round: number
}

const columnOf = (name: string): DebateColumn => {
  const [, seat, round] = columnForm.exec(name) ?? []
  if (seat === undefined)
    throw new UsageError(
      `The column ${name} names no round. In a debate, every column is called like ${name}@0, with 0 for the sealed round.`,
    )
  return { seat, round: Number(round) }
}

const inOrder = (numbers: Iterable<number>): number[] =>
  [...new Set(numbers)].sort((one, other) => one - other)

const limited = (count: number, most: number, what: string): void => {
  if (count > most) throw new UsageError(`The file has ${count} ${what}. At most ${most} can be read.`)
}

export const debatesFrom = (name: string, { columns, rows }: RecordedTable): DebateSet => {
  const known = columns.map(columnOf)
  const seats = [...new Set(known.map(({ seat }) => seat))]
  const rounds = inOrder(known.map(({ round }) => round))
  limited(seats.length, mostSeats, 'seats')
  limited(rounds.length, mostRounds, 'rounds')
  limited(rows.length, mostDebates, 'sessions')
  const places = known.map(({ seat, round }) => [rounds.indexOf(round), seats.indexOf(seat)] as const)
  const taken = new Set(places.map(place => place.join('@')))
  // "a@1" and "a@01" are two columns of one round, and one of them would be lost.
  if (taken.size < places.length) throw new UsageError('A seat has two columns of the same round.')
  const debates = rows.map(({ id, gold, cells }) => {
    const answers = rounds.map(() => seats.map((): string | null => null))
    for (const [index, [round, seat]] of places.entries()) answers[round]![seat] = cells[index] || null
    return { id, gold, rounds: answers }
  })
  return { name, source: sourceOf(name), seats, rounds: rounds.length, debates }
}

/** A name may have its folders before it, if two files are called the same. */
const sourceOf = (name: string): string => {
  const file = name.split(/[\\/]/).at(-1)!
  return file.split('_')[0] || file
}

/** Only these seats, named by a part of their name. */
export const withSeatsNamed = (set: DebateSet, names: readonly string[]): DebateSet => {
  const seats = seatsNamed(set.seats, names)
  const places = seats.map(seat => set.seats.indexOf(seat))
  const debates = set.debates.map(debate => ({
    ...debate,
    rounds: debate.rounds.map(answers => places.map(place => answers[place] ?? null)),
  }))
  return { ...set, seats, debates }
}

// vote: The vote of one round.

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

// changes: Changes of mind in a debate, and what they did to the vote.

/** Wrong to right, right to wrong, and one wrong answer to another. */
export interface Directions {
  readonly better: number
  readonly worse: number
  readonly other: number
}

export interface Change {
  readonly from: string
  readonly to: string
}

/** A change is compared with the seat's last readable answer: a round without one isn't a change of mind. */
export const changesIn = (rounds: Debate['rounds']): Change[] => {
  const changes: Change[] = []
  const before: (string | null)[] = []
  for (const answers of rounds) {
    for (const [seat, answer] of answers.entries()) {
      if (answer === null) continue
      const last = before[seat] ?? null
      if (last !== null && last !== answer) changes.push({ from: last, to: answer })
      before[seat] = answer
    }
  }
  return changes
}

export const directionsOf = (changes: readonly (Change & { readonly gold: string })[]): Directions => {
  const better = changes.filter(({ to, gold }) => to === gold).length
  const worse = changes.filter(({ from, gold }) => from === gold).length
  return { better, worse, other: changes.length - better - worse }
}

export const addedUp = (all: readonly Directions[]): Directions => {
  const sum = (of: keyof Directions): number => all.reduce((before, one) => before + one[of], 0)
  return { better: sum('better'), worse: sum('worse'), other: sum('other') }
}

export const flipsIn = (debates: readonly Debate[]): Directions =>
  directionsOf(debates.flatMap(({ gold, rounds }) => changesIn(rounds).map(change => ({ ...change, gold }))))

/** What led in the sealed vote and in the last one. */
export interface Leaders {
  readonly sealed: VoteOutcome
  readonly last: VoteOutcome
  readonly gold: string
}

/** Debates in which one answer led the sealed vote, and another one the last vote. */
export const overturned = (debates: readonly Leaders[]): Directions =>
  directionsOf(
    debates.flatMap(({ sealed: [from, ...tied], last: [to, ...tiedLast], gold }) => {
      const decided = from !== undefined && to !== undefined && tied.length + tiedLast.length === 0
      return decided && from !== to ? [{ from, to, gold }] : []
    }),
  )

// sealedSplits: How the sealed vote was divided, and how often such tables were right in the end.

export interface SplitFigures {
  readonly level: SealedSplit
  readonly sessions: number
  /** How often the sealed vote of such tables was right, and the last one with its 95 % interval. */
  readonly sealed: number
  readonly last: { readonly mean: number; readonly low: number; readonly high: number }
}

/** Undefined without a quorum. The table is every seat that answered in some round. */
export const splitOf = (rounds: Debate['rounds']): SealedSplit | undefined => {
  const of = rounds[0]!.filter((_, seat) => rounds.some(answers => answers[seat] !== null)).length
  const counts = new Map<string, number>()
  for (const answer of rounds[0]!) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const [first = 0, second = 0, ...rest] = [...counts.values()].sort((one, other) => other - one)
  const answered = rest.reduce((sum, count) => sum + count, first + second)
  if (answered * 2 <= of) return undefined
  if (first === second) return 'tie'
  if (first === of) return 'unanimous'
  if (first * 3 >= of * 2) return 'supermajority'
  return first * 2 > of ? 'majority' : 'plurality'
}

const meanWhere = (values: Float64Array, inside: Float64Array): number => {
  let [sum, count] = [0, 0]
  for (const [index, one] of inside.entries()) {
    sum += one * values[index]!
    count += one
  }
  return sum / count
}

/** Levels that no table had are left out. `resample` gives the mean of each column in every resample. */
export const splitFigures = (
  levels: readonly (SealedSplit | undefined)[],
  sealed: Float64Array,
  last: Float64Array,
  resample: (columns: readonly Float64Array[]) => Float64Array[],
): SplitFigures[] => {
  const present = sealedSplits.filter(level => levels.includes(level))
  // No table had a quorum.
  if (present.length === 0) return []
  const insides = present.map(level => Float64Array.from(levels, one => (one === level ? 1 : 0)))
  const means = resample([
    ...insides.map(inside => inside.map((one, index) => one * last[index]!)),
    ...insides,
  ])
  return present.map((level, place) => {
    const [inside, right, share] = [insides[place]!, means[place]!, means[present.length + place]!]
    // A resample may hold no such table.
    const shares = right.map((value, index) => value / share[index]!).filter(Number.isFinite)
    const [low, high] = intervalOf(shares)
    return {
      level,
      sessions: inside.reduce((sum, one) => sum + one, 0),
      sealed: meanWhere(sealed, inside),
      last: { mean: meanWhere(last, inside), low, high },
    }
  })
}

// scored: How right each rule is on each debate of a set.

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

// probabilities: Debates whose answers are probabilities: right is who is on the right side of 50 %, and Brier scores say how far.

type Numbers = readonly (number | null)[]

interface NumberRule {
  readonly name: string
  readonly summary: string
  decide(rounds: readonly Numbers[]): number | undefined
}

const given = (numbers: Numbers): number[] => numbers.filter(number => number !== null)

const ofRound =
  (combine: (numbers: readonly number[]) => number | undefined) =>
  (numbers: Numbers): number | undefined =>
    combine(given(numbers))

const middle = ofRound(numbers => median(numbers))
const average = ofRound(mean)
const logOddsRule = meanLogOdds()
const combinedOdds = ofRound(
  numbers =>
    logOddsRule.decide(
      numbers.map((value, seat) => ({ seat: String(seat), value })),
      { options: [] },
    ).value ?? undefined,
)

/** Each seat's sealed number counts once, its open ones together once. */
const trajectoryOf = (rounds: readonly Numbers[]): number | undefined => {
  const [sealed = [], ...open] = rounds
  const paths = sealed.map((first, seat) => {
    const later = mean(given(open.map(numbers => numbers[seat] ?? null)))
    return mean([...(first === null ? [] : [first]), ...(later === undefined ? [] : [later])]) ?? null
  })
  return median(given(paths))
}

const rules: readonly NumberRule[] = [
  {
    name: 'last',
    summary: 'The median of the last round.',
    decide: rounds => middle(rounds.at(-1)!),
  },
  {
    name: 'last mean',
    summary: 'The mean of the last round.',
    decide: rounds => average(rounds.at(-1)!),
  },
  {
    name: 'last log-odds',
    summary: 'The mean log-odds of the last round.',
    decide: rounds => combinedOdds(rounds.at(-1)!),
  },
  {
    name: 'trajectory',
    summary: 'The median of what each seat said: the sealed number once, the open ones together once.',
    decide: trajectoryOf,
  },
  { name: 'sealed', summary: 'The median of the sealed round.', decide: rounds => middle(rounds[0]!) },
  {
    name: 'sealed log-odds',
    summary: 'The mean log-odds of the sealed round.',
    decide: rounds => combinedOdds(rounds[0]!),
  },
]

const isBinary = (text: string): boolean => Number(text) === 0 || Number(text) === 1

/** "70%" and "70" are the same number. */
const numberIn = (answer: string): number => Number(answer.replace(/(?<=\d) ?%$/, ''))

const isPercent = (answer: string | null): boolean =>
  answer !== null && (answer.endsWith('%') || Number(answer) > 1)

/**
 * Whether the answers of a set are probabilities: everything right is 0 or 1, and every answer is a number from 0 to
 * 100, with or without a percent sign, most of them neither 0 nor 1. Otherwise the numbers are answers like any other.
 */
export const areProbabilities = ({ debates }: DebateSet): boolean => {
  if (!debates.every(({ gold }) => isBinary(gold))) return false
  const answers = debates.flatMap(({ rounds }) => rounds.flat()).filter(answer => answer !== null)
  const inRange = answers.every(answer => numberIn(answer) >= 0 && numberIn(answer) <= 100)
  return inRange && answers.filter(answer => !isBinary(answer)).length * 2 > answers.length
}

/** Sums of numbers that are even only up to rounding. */
const precision = 1e-9

/** Exactly 50 % is on neither side, which counts like a tie. */
const side = (probability: number): VoteOutcome => {
  if (Math.abs(probability - 0.5) < precision) return ['0', '1']
  return [probability > 0.5 ? '1' : '0']
}

/** A debate without a number counts like one that says 50 %. */
const brierOf = (probability: number | undefined, gold: string): number =>
  ((probability ?? 0.5) - Number(gold)) ** 2

export const scoredProbabilities = (set: DebateSet): ScoredSet => {
  const whole = set.debates.some(({ rounds }) => rounds.flat().some(isPercent)) ? 100 : 1
  const debates = set.debates.map(({ gold, rounds }) => ({
    gold: String(Number(gold)),
    rounds: rounds.map(round => round.map(answer => (answer === null ? null : numberIn(answer) / whole))),
  }))
  const decided = (rule: NumberRule, round: number): (number | undefined)[] =>
    debates.map(({ rounds }) =>
      given(rounds[round]!).length === 0 ? undefined : rule.decide(rounds.slice(0, round + 1)),
    )
  const decisions = rules.map((rule): Decided => {
    const stages = Array.from({ length: set.rounds }, (_, round) => decided(rule, round))
    return {
      name: rule.name,
      summary: rule.summary,
      learns: false,
      outcomes: stages.map(values => values.map(value => (value === undefined ? [] : side(value)))),
      brier: Float64Array.from(stages.at(-1)!, (value, index) => brierOf(value, debates[index]!.gold)),
    }
  })
  const sides = set.debates.map(({ id }, index) => ({
    id,
    gold: debates[index]!.gold,
    rounds: debates[index]!.rounds.map(round =>
      round.map(value => (value === null ? null : side(value).join(' or '))),
    ),
  }))
  return scored(set, 'probabilities', sides, decisions)
}

// voteRules: The ways to decide a debate by its votes that nothing has to be learnt for. Decision 28 says what each means.

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

// learntRules: Rules that learn how good each seat is. They learn on one half of a set and decide the other half.

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

// scoreVotes: Puts a set of debates through every rule, after every round.

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

// setBootstrap: Intervals by resampling whole sets: sessions of one set share models and questions, so they aren't independent.

/** Each column's mean over all sessions of the drawn sets, in every resample. `sizes` are the sessions of each set. */
export const meansOverSets = (
  columns: readonly Float64Array[],
  sizes: readonly number[],
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): Float64Array[] => {
  const sums = columns.map(column => {
    let place = 0
    return sizes.map(size => {
      let sum = 0
      for (const end = place + size; place < end; place++) sum += column[place]!
      return sum
    })
  })
  const random = randomFor(`${seed}/sets`)
  const means = columns.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    const drawn = sizes.map(() => Math.floor(random() * sizes.length))
    const sessions = drawn.reduce((sum, set) => sum + sizes[set]!, 0)
    for (const [index, ofSets] of sums.entries()) {
      let sum = 0
      for (const set of drawn) sum += ofSets[set]!
      means[index]![resample] = sum / sessions
    }
  }
  return means
}

// figures: The figures of recorded debates: by set, by source and pooled, each rule against the last vote.

export interface Against {
  readonly mean: number
  /** The ends of the 95 % interval. */
  readonly low: number
  readonly high: number
}

export interface RuleFigures {
  readonly name: string
  readonly summary: string
  readonly accuracy: number
  readonly againstLast: Against
  /** Debates that the rule ties, and those of them that the last vote decides. */
  readonly ties: number
  readonly tiesMade: number
  /** It was learnt on one half of each set and scored on the other, and the other way round. */
  readonly learns: boolean
  /** Mean squared distance of probabilities to what happened: lower is better. */
  readonly brier?: number
  readonly brierAgainstLast?: Against
}

export interface SetFigures extends Omit<ScoredSet, 'columns' | 'splits'> {
  /** How often the plain vote of each round is right. */
  readonly byRound: readonly number[]
  readonly splits: readonly SplitFigures[]
  readonly rules: readonly (RuleFigures & { readonly byRound: readonly number[] })[]
}

/** Several sets together; each session counts once. */
export interface PoolFigures {
  readonly kind: ScoredSet['kind']
  readonly sets: number
  readonly sessions: number
  readonly flips: Directions
  readonly overturned: Directions
  /** How often the sealed and the last vote are right: sets differ in their rounds. */
  readonly sealed: number
  readonly last: number
  /** What the intervals resample. A single set can't be resampled by sets. */
  readonly resampled: 'sets' | 'sessions'
  /** How often tables were right in the end, by how their sealed vote was divided. */
  readonly splits: readonly SplitFigures[]
  readonly rules: readonly RuleFigures[]
}

export interface SourceFigures extends PoolFigures {
  readonly name: string
}

interface Resampling {
  readonly seed: string
  readonly resamples: number
}

/** Sums of thirds that cancel out leave −1e-17, which would look like a certain loss. */
const exact = (value: number): number => Math.round(value * 1e12) / 1e12

const against = (means: Float64Array, difference: Float64Array): Against => {
  const [low, high] = intervalOf(means)
  return { mean: exact(meanOf(difference)), low: exact(low), high: exact(high) }
}

const minus = (one: Float64Array, other: Float64Array): Float64Array =>
  one.map((value, index) => value - other[index]!)

const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

/** How many debates the rule ties and the last vote doesn't. */
const tiesMade = ({ tied }: Column, last: Column): number =>
  sumOf(tied.map((one, index) => (one === 1 && last.tied[index] === 0 ? 1 : 0)))

/** Draws of sessions in all resamples together: a large set needs fewer resamples, and would take minutes. */
const mostDraws = 40_000_000

const bySessions =
  ({ seed, resamples }: Resampling) =>
  (columns: readonly Float64Array[]): Float64Array[] => {
    const affordable = Math.max(200, Math.floor(mostDraws / Math.max(1, columns[0]!.length)))
    return resampledMeans(columns, { seed, resamples: Math.min(resamples, affordable) })
  }

/** `resample` gives the mean of each column in every resample. */
const ruleFigures = (
  columns: readonly Column[],
  resample: (columns: readonly Float64Array[]) => Float64Array[],
): RuleFigures[] => {
  const last = columns[0]!
  const differences = columns.map(({ credit }) => minus(credit, last.credit))
  const briers = columns.flatMap(({ brier }) => (brier && last.brier ? [minus(brier, last.brier)] : []))
  const means = resample([...differences, ...briers])
  return columns.map((column, place) => ({
    name: column.name,
    summary: column.summary,
    accuracy: meanOf(column.credit),
    againstLast: against(means[place]!, differences[place]!),
    ties: sumOf(column.tied),
    tiesMade: tiesMade(column, last),
    learns: column.learns,
    ...(column.brier && {
      brier: meanOf(column.brier),
      brierAgainstLast: against(means[columns.length + place]!, briers[place]!),
    }),
  }))
}

const splitsOf = (
  splits: ScoredSet['splits'],
  columns: readonly Column[],
  resample: (columns: readonly Float64Array[]) => Float64Array[],
): SplitFigures[] => {
  const [last, sealed] = ['last', 'sealed'].map(name => columns.find(column => column.name === name)!)
  return splitFigures(splits, sealed!.credit, last!.credit, resample)
}

export const setFigures = (set: ScoredSet, { seed, resamples }: Resampling): SetFigures => {
  const { columns, splits, ...facts } = set
  const resample = bySessions({ resamples, seed: `${seed}/${set.name}` })
  const rules = ruleFigures(columns, resample)
  return {
    ...facts,
    byRound: columns[0]!.byRound,
    splits: splitsOf(splits, columns, resample),
    rules: rules.map((rule, place) => ({ ...rule, byRound: columns[place]!.byRound })),
  }
}

const joined = (parts: readonly Float64Array[]): Float64Array => {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}

/** The columns of several sets of one kind, one below the other. */
const pooledColumns = (sets: readonly ScoredSet[]): Column[] =>
  sets[0]!.columns.map((column, place) => {
    const same = sets.map(set => set.columns[place]!)
    return {
      ...column,
      credit: joined(same.map(({ credit }) => credit)),
      tied: Uint8Array.from(joined(same.map(({ tied }) => Float64Array.from(tied)))),
      byRound: [],
      ...(column.brier && { brier: joined(same.map(({ brier }) => brier!)) }),
    }
  })

/** Sets of one kind. By default, their sessions are what is resampled. */
export const poolFigures = (
  sets: readonly ScoredSet[],
  resampling: Resampling,
  resampled: PoolFigures['resampled'] = 'sessions',
): PoolFigures => {
  const columns = pooledColumns(sets)
  const sizes = sets.map(({ sessions }) => sessions)
  const sessions = sumOf(sizes)
  const resample =
    resampled === 'sets'
      ? (some: readonly Float64Array[]) => meansOverSets(some, sizes, resampling)
      : bySessions(resampling)
  const weighed = (share: (set: ScoredSet) => number): number =>
    sumOf(sets.map(set => share(set) * set.sessions)) / sessions
  return {
    kind: sets[0]!.kind,
    sets: sets.length,
    sessions,
    flips: addedUp(sets.map(({ flips }) => flips)),
    overturned: addedUp(sets.map(set => set.overturned)),
    sealed: weighed(({ columns: [last] }) => last!.byRound[0]!),
    last: meanOf(columns[0]!.credit),
    resampled,
    splits: splitsOf(
      sets.flatMap(({ splits }) => splits),
      columns,
      resample,
    ),
    rules: ruleFigures(columns, resample),
  }
}

const scoredSet = (set: DebateSet, seed: string): ScoredSet =>
  areProbabilities(set) ? scoredProbabilities(set) : scoredVotes(set, seed)

// choice: Which rule the criterion of decision 28 chooses, and what such a choice is worth on sources that it hasn't seen.

export interface Excluded {
  readonly rule: string
  readonly reason: string
}

export interface Choice {
  readonly rule: string
  /** The best of the rules that are left. If its gain isn't certain, `last` is chosen. */
  readonly best: string
  readonly excluded: readonly Excluded[]
}

/** A choice on all sources but one, and how it does on that one. */
export interface HeldOut {
  readonly source: string
  readonly rule: string
  readonly againstLast: Against
}

const named = (rules: readonly RuleFigures[], name: string): RuleFigures =>
  rules.find(rule => rule.name === name)!

const reasonAgainst = (
  { name, tiesMade }: RuleFigures,
  sources: readonly SourceFigures[],
): string | undefined => {
  const losing = sources.filter(({ rules }) => named(rules, name).againstLast.high < 0)
  if (losing.length > 0) return `loses in ${losing.map(source => source.name).join(', ')}`
  return tiesMade > 0 ? `turns ${tiesMade} decided verdicts into ties` : undefined
}

export const choiceOf = (sources: readonly SourceFigures[], pooled: PoolFigures): Choice => {
  const excluded: Excluded[] = []
  let best = named(pooled.rules, 'last')
  for (const rule of pooled.rules) {
    const reason = reasonAgainst(rule, sources)
    if (reason !== undefined) excluded.push({ rule: rule.name, reason })
    else if (rule.againstLast.mean > best.againstLast.mean) best = rule
  }
  return { best: best.name, rule: best.againstLast.low > 0 ? best.name : 'last', excluded }
}

/** `pooledWithout` gives the figures of all sets but those of one source. */
export const heldOutChoices = (
  sources: readonly SourceFigures[],
  pooledWithout: (source: string) => PoolFigures,
): HeldOut[] =>
  sources.map(({ name, rules }) => {
    const others = sources.filter(source => source.name !== name)
    const { rule } = choiceOf(others, pooledWithout(name))
    return { source: name, rule, againstLast: named(rules, rule).againstLast }
  })

// replay: Scores every rule on recorded debates: what `bench replay` shows for files with rounds.

export interface DebateReplay {
  readonly sets: readonly SetFigures[]
  readonly sources: readonly SourceFigures[]
  /** All sets of votes; if there are none, all sets of probabilities. */
  readonly pooled: PoolFigures
  /** All sets of probabilities, if there are votes too. */
  readonly probabilities?: PoolFigures
  /** What decision 28 chooses on these sets, if they have two sources or more. */
  readonly choice?: Choice & { readonly heldOut: readonly HeldOut[] }
  /** What was learnt and chosen on which part. */
  readonly parts: string
  readonly resamples: number
  readonly seed: string
}

export interface DebateReplayOptions {
  readonly seed: string
  readonly resamples?: number
  /** Called after each set. */
  readonly onProgress?: (done: number, of: number) => void
}

const parts =
  'Rules that learn (log-odds, dawid-skene) learn on one half of a set and are scored on the other, and the other way round. ' +
  'Held-out choices are made on all other sources and scored on the one named.'

const ofKind = (sets: readonly ScoredSet[], kind: ScoredSet['kind']): ScoredSet[] =>
  sets.filter(set => set.kind === kind)

export const replayDebates = (sets: readonly DebateSet[], options: DebateReplayOptions): DebateReplay => {
  const { seed, resamples = 2000 } = options
  const resampling = { seed, resamples }
  const scored = sets.map((set, index) => {
    const found = scoredSet(set, seed)
    options.onProgress?.(index + 1, sets.length)
    return found
  })
  const bySets = (some: readonly ScoredSet[]): PoolFigures =>
    poolFigures(some, resampling, some.length > 1 ? 'sets' : 'sessions')
  const sourcesOf = (some: readonly ScoredSet[]): SourceFigures[] =>
    [...Map.groupBy(some, ({ source }) => source)].map(([name, own]) => ({
      name,
      ...poolFigures(own, { ...resampling, seed: `${seed}/${name}` }),
    }))
  const [votes, probabilities] = [ofKind(scored, 'votes'), ofKind(scored, 'probabilities')]
  const sources = sourcesOf(votes)
  const pooled = bySets(votes.length > 0 ? votes : probabilities)
  return {
    sets: scored.map(set => setFigures(set, resampling)),
    sources: [...sources, ...sourcesOf(probabilities)],
    pooled,
    ...(votes.length > 0 && probabilities.length > 0 && { probabilities: bySets(probabilities) }),
    ...(sources.length > 1 && {
      choice: {
        ...choiceOf(sources, pooled),
        heldOut: heldOutChoices(sources, name => bySets(votes.filter(({ source }) => source !== name))),
      },
    }),
    parts,
    resamples,
    seed,
  }
}

// testing: Small debates for tests.

export const debatesIn = (name: string, file: string): DebateSet => debatesFrom(name, recordedTable(file))

/** "AB-": the first two seats said A and B, the third nothing. */
export const roundsFrom = (...rounds: string[]): RoundAnswers[] =>
  rounds.map(answers => [...answers].map(answer => (answer === '-' ? null : answer)))

/** A set of three seats; each row is the right answer and the rounds: "A AAB ABB". */
export const setOf = (name: string, ...rows: string[]): DebateSet => {
  const debates = rows.map((row, id) => {
    const [gold = '', ...rounds] = row.split(' ')
    return { id: String(id), gold, rounds: roundsFrom(...rounds) }
  })
  const seats = debates[0]!.rounds[0]!.map((_, seat) => `seat${seat}`)
  return { name, source: name.split('_')[0]!, seats, rounds: debates[0]!.rounds.length, debates }
}
