/** How first answers split, and how often the largest part of such a split was right. */

import { isVoteOnFact } from '../core/form.ts'
import type { Score } from '../core/rules.ts'
import type { Session } from '../core/session.ts'
import { resolutionOf } from './moves.ts'
import { groupingOf } from './settle.ts'
import type { Level } from './tally.ts'
import { verdictOf } from './verdict.ts'

// split: The ways in which a sealed vote can be divided, as far as they differ in how often tables are right.

export const sealedSplits = ['unanimous', 'supermajority', 'majority', 'plurality', 'tie'] as const
export type SealedSplit = (typeof sealedSplits)[number]

// recordedSplits: How often tables were right, by how their sealed vote was divided. Written by scripts/recorded-splits.ts.

export interface RecordedSplit {
  readonly sessions: number
  /** How often the last vote was right, with its 95 % interval over sets. */
  readonly right: number
  readonly low: number
  readonly high: number
  /** The sources with at least 20 such tables, and their extremes: how far tables like these differ. */
  readonly sources: number
  readonly lowestSource: number
  readonly highestSource: number
}

export const recordedSource =
  '9493 recorded debates of real models: 28 sets from 11 sources (borowski, calico, chocholaty, dminds, dylan, ford3, forecast, hegazy, hkust, slm, tt)'

export const recordedSplits: Readonly<Record<SealedSplit, RecordedSplit>> = {
  unanimous: {
    sessions: 5649,
    right: 0.896,
    low: 0.867,
    high: 0.921,
    sources: 10,
    lowestSource: 0.808,
    highestSource: 1,
  },
  supermajority: {
    sessions: 2303,
    right: 0.638,
    low: 0.61,
    high: 0.674,
    sources: 6,
    lowestSource: 0.405,
    highestSource: 0.847,
  },
  majority: {
    sessions: 60,
    right: 0.583,
    low: 0.442,
    high: 0.875,
    sources: 2,
    lowestSource: 0.571,
    highestSource: 0.6,
  },
  plurality: {
    sessions: 299,
    right: 0.422,
    low: 0.345,
    high: 0.568,
    sources: 1,
    lowestSource: 0.417,
    highestSource: 0.417,
  },
  tie: {
    sessions: 1085,
    right: 0.272,
    low: 0.209,
    high: 0.584,
    sources: 3,
    lowestSource: 0.234,
    highestSource: 0.588,
  },
}

// sealedSplit: How the sealed vote of a table was divided, in the terms of the recorded debates.

/** No smaller table was recorded. */
const fewestSeats = 3

/** In a recording all that isn't led by one answer is a tie. */
const splitByLevel: Readonly<Partial<Record<Level, SealedSplit>>> = {
  unanimous: 'unanimous',
  'unanimous-with-caveats': 'unanimous',
  supermajority: 'supermajority',
  majority: 'majority',
  plurality: 'plurality',
  tie: 'tie',
  split: 'tie',
}

/**
 * Undefined if such a table says nothing about being right: an opinion, a script, a seat held from outside, a transcript, fewer than three seats, or a
 * verdict that names no answer. If nobody grouped open answers, different words don't mean disagreement.
 */
export const sealedSplitOf = (session: Session): SealedSplit | undefined => {
  const { sealed, final } = verdictOf(session)
  const round = session.roundsSoFar.find(one => one.sealed)
  if (!isVoteOnFact(session) || session.imported || session.outcome !== 'verdict') return undefined
  if (
    session.seats.length < fewestSeats ||
    session.seats.some(({ scripted, outside }) => scripted || outside)
  )
    return undefined
  if (!round || !sealed?.level || !final?.leading) return undefined
  return groupingOf(session, round).by === 'headline' ? undefined : splitByLevel[sealed.level]
}

export interface SplitOutcome {
  readonly split: SealedSplit
  /** Whether the verdict of such a table was right. */
  readonly right: boolean
}

/** Undefined if nobody knows. */
export const splitOutcomeOf = (session: Session): SplitOutcome | undefined => {
  const [split, resolution] = [sealedSplitOf(session), resolutionOf(session)]
  const { final } = verdictOf(session)
  if (!split || !resolution || !final?.leading) return undefined
  return { split, right: resolution.camps.includes(final.leading) }
}

export const splitScoresOf = (
  outcomes: readonly SplitOutcome[],
): Record<string, { readonly right: number; readonly of: number }> =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ split }) => split)].map(([split, own]) => [
      split,
      { right: own.filter(({ right }) => right).length, of: own.length },
    ]),
  )

// wilson: Wilson's interval of a share: it stays within 0 and 1, and is useful even if all or none were right.

/** The normal distribution's quantile at 97.5 %. */
const z = 1.959964

export const wilson = (successes: number, of: number): readonly [number, number] => {
  if (of === 0) return [0, 1]
  const share = successes / of
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of)
  const half = (z / (1 + z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

// howOftenRight: How often tables like this one were right: recorded debates first, and the own archive as it grows.

export interface HowOftenRight {
  readonly split: SealedSplit
  /** From 0 to 1. */
  readonly right: number
  /** The extremes of recorded sources; with ten own tables or more, a 95 % interval. */
  readonly low: number
  readonly high: number
  /** What was recorded, and how many such tables there were. */
  readonly recorded: { readonly right: number; readonly tables: number }
  /** Resolved tables of the own archive with such a sealed vote. */
  readonly own: Score
  readonly source: string
}

/** Recorded debates count as much as this many own tables: the best of six by decision 35. */
export const recordedWeight = 10
/** With fewer sources nobody can say how far they differ. */
const fewestSources = 3

export const blendedShare = ({ right, of }: Score, recorded: number): number =>
  (right + recordedWeight * recorded) / (of + recordedWeight)

const rounded = (share: number): number => Number(share.toFixed(4))

/** Undefined if the question is one of opinion, or too little is known of such tables. */
export const howOftenRight = (session: Session): HowOftenRight | undefined => {
  const split = sealedSplitOf(session)
  if (!split) return undefined
  const recorded = recordedSplits[split]
  const own = session.splits?.[split] ?? { right: 0, of: 0 }
  const isOwn = own.of >= recordedWeight
  if (!isOwn && recorded.sources < fewestSources) return undefined
  const right = blendedShare(own, recorded.right)
  const [low, high] = isOwn
    ? wilson(right * (own.of + recordedWeight), own.of + recordedWeight)
    : [recorded.lowestSource, recorded.highestSource]
  return {
    split,
    right: rounded(right),
    low: rounded(Math.min(low, right)),
    high: rounded(Math.max(high, right)),
    recorded: { right: recorded.right, tables: recorded.sessions },
    own,
    source: recordedSource,
  }
}
