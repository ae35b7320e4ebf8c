/** What one finished session adds to the track record: a few numbers, so that thousands of them fit into memory. */
import { resolutionOf } from '../camps/resolution.ts'
import type { Session } from '../log/state.ts'
import { type Pair, pairsIn } from './agreement.ts'
import { type Appearance, appearancesIn } from './appearance.ts'
import { type SplitOutcome, splitOutcomeOf } from './sealed-split.ts'

export interface SessionRecord {
  readonly resolved: boolean
  readonly appearances: readonly Appearance[]
  readonly pairs: readonly Pair[]
  /** Undefined if nobody knows the right answer, or it is no question of fact. */
  readonly split: SplitOutcome | undefined
}

/** Undefined while a session runs, and for a fork in the middle: what it copied counts in the other session. */
export const sessionRecordOf = (session: Session): SessionRecord | undefined =>
  session.outcome === undefined || session.forkedFrom?.round !== undefined
    ? undefined
    : {
        resolved: resolutionOf(session) !== undefined,
        appearances: appearancesIn(session),
        pairs: pairsIn(session),
        split: splitOutcomeOf(session),
      }
