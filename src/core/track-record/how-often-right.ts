/** How often tables like this one were right: recorded debates first, and the own archive as it grows. */
import type { Score } from '../aggregation/log-odds.ts'
import type { Session } from '../log/state.ts'
import { recordedSource, recordedSplits } from './recorded-splits.ts'
import { sealedSplitOf } from './sealed-split.ts'
import type { SealedSplit } from './split.ts'
import { wilson } from './wilson.ts'

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
