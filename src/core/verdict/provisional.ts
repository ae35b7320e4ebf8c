/** The verdict so far, while a session runs: the count of its last closed round. It may still change. */
import { groupingOf, isGrouped } from '../camps/camps.ts'
import { isClosed, type Round, type Session } from '../log/state.ts'
import { verdictLine } from '../wording/verdict-line.ts'
import { type Tally, tallyOf } from './tally.ts'

export interface Provisional {
  readonly round: Round
  readonly tally: Tally
  /** "4 of 6 models agreed" */
  readonly line: string
  /** Nobody has compared the answers of this round yet: there are no camps. */
  readonly uncompared: boolean
  /** Who belongs to which camp is still being checked. */
  readonly unchecked: boolean
}

const isCompared = (session: Session, round: Round): boolean =>
  groupingOf(session, round).unplaced.length === 0

const remembered = new WeakMap<Session, Provisional | null>()

/** Null before the first round is closed, and as soon as there is a verdict. */
export const provisionalOf = (session: Session): Provisional | null => {
  const known = remembered.get(session)
  if (known !== undefined) return known
  const counted = countedSoFar(session)
  remembered.set(session, counted)
  return counted
}

const countedSoFar = (session: Session): Provisional | null => {
  if (session.outcome || session.stopped || session.imported) return null
  const closed = session.roundsSoFar.filter(round => isClosed(session, round))
  // Until the newest round is compared, the one before it is what is known.
  const round = closed.findLast(one => isCompared(session, one)) ?? closed.at(-1)
  if (!round) return null
  const tally = tallyOf(session, round)
  const uncompared = !isCompared(session, round)
  return {
    round,
    tally,
    uncompared,
    unchecked: !uncompared && !isGrouped(groupingOf(session, round)),
    line: uncompared
      ? `${tally.answered} of ${tally.of} answered; nobody has compared the answers yet`
      : verdictLine(session, tally, null),
  }
}
