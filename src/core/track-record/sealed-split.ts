/** How the sealed vote of a table was divided, in the terms of the recorded debates. */
import { groupingOf } from '../camps/camps.ts'
import { resolutionOf } from '../camps/resolution.ts'
import type { Session } from '../log/state.ts'
import { isVoteOnFact } from '../question/kind.ts'
import type { Level } from '../verdict/tally.ts'
import { verdictOf } from '../verdict/verdict.ts'
import type { SealedSplit } from './split.ts'

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
