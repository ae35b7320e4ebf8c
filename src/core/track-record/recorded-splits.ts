/** How often tables were right, by how their sealed vote was divided. Written by scripts/recorded-splits.ts. */
import type { SealedSplit } from './split.ts'

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
