/** The gate: whether the table talks (again), stops, or must hear the challenger first. */
import { groupingOf } from '../../core/camps/camps.ts'
import { moveOf } from '../../core/camps/moves.ts'
import { shiftBetween } from '../../core/group/statistics.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { isLarge } from '../large-table.ts'
import { enoughSupport } from '../objection.ts'
import { hasAnswers, isWanted, openRounds, supportOf } from '../steps.ts'
import { isText, nobodyRewrote } from '../text-prompt.ts'

/** The part of a large table that may still move when it counts as settled. */
const settledShift = 0.05

const nobodyMoved = (session: Session, round: Round): boolean =>
  !round.sealed && session.seats.every(seat => moveOf(session, round, seat.id) !== 'switched')

export const canChallenge = ({ moderator, smallModerator }: Session): boolean =>
  moderator !== null && !smallModerator

/** At a large table somebody always moves. It is settled when hardly anybody moved in two rounds. */
const hasSettled = (session: Session, round: Round): boolean => {
  const [first, second] = [roundAt(session, round.index - 2), roundAt(session, round.index - 1)]
  if (!isLarge(session) || !first || !second) return false
  return [shiftBetween(session, first, second), shiftBetween(session, second, round)].every(
    shift => shift <= settledShift,
  )
}

/** Whether the table should talk (again), or the challenger must be asked first. */
export const gate = (session: Session, round: Round): 'talk' | 'stop' | 'challenge' => {
  if (openRounds(session) >= session.rounds || !hasAnswers(session, round)) return 'stop'
  if (isWanted(session)) return 'talk'
  if (isText(session)) return nobodyRewrote(session, round) ? 'stop' : 'talk'
  if (nobodyMoved(session, round) || hasSettled(session, round)) return 'stop'
  if (supportOf(session, groupingOf(session, round).camps) < enoughSupport) return 'talk'
  if (round.objection === undefined) return canChallenge(session) ? 'challenge' : 'stop'
  return round.objection === null ? 'stop' : 'talk'
}
