/** The figures of recorded debates: by set, by source and pooled, each rule against the last vote. */
import { intervalOf, meanOf, resampledMeans } from '../bootstrap.ts'
import { addedUp, type Directions } from './changes.ts'
import type { DebateSet } from './debates.ts'
import { areProbabilities, scoredProbabilities } from './probabilities.ts'
import { scoredVotes } from './score-votes.ts'
import type { Column, ScoredSet } from './scored.ts'
import { type SplitFigures, splitFigures } from './sealed-splits.ts'
import { meansOverSets } from './set-bootstrap.ts'

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

export const scoredSet = (set: DebateSet, seed: string): ScoredSet =>
  areProbabilities(set) ? scoredProbabilities(set) : scoredVotes(set, seed)
