/** The gate: whether the table talks (again), stops, or must hear the challenger first. */
import { groupingOf } from '../../core/camps/camps.ts'
import { moveOf } from '../../core/camps/moves.ts'
import { shiftBetween } from '../../core/group/statistics.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { isVoteOnFact } from '../../core/question/kind.ts'
import { isKindOpen } from '../about-question.ts'
import { isLarge } from '../large-table.ts'
import { enoughOnFact, enoughSupport } from '../objection.ts'
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

const agreesOn = (session: Session, round: Round): 'enough' | 'on fact' | 'too little' => {
  const support = supportOf(session, round, groupingOf(session, round).camps)
  if (support >= enoughSupport) return 'enough'
  return support > enoughOnFact ? 'on fact' : 'too little'
}

/** Whether the table should talk (again), or wait: for the challenger, or to know the kind of question. */
export const gate = (session: Session, round: Round): 'talk' | 'stop' | 'challenge' | 'wait' => {
  if (openRounds(session) >= session.rounds || !hasAnswers(session, round)) return 'stop'
  if (isWanted(session)) return 'talk'
  if (isText(session)) return nobodyRewrote(session, round) ? 'stop' : 'talk'
  if (hasSettled(session, round)) return 'stop'
  const [agrees, isFact] = [agreesOn(session, round), isVoteOnFact(session)]
  const isEnough = agrees === 'enough' || (agrees === 'on fact' && isFact)
  // Without a majority on a fact, a round in which nobody moved is no reason to end undecided.
  if (nobodyMoved(session, round) && (isEnough || !isFact)) return 'stop'
  if (agrees === 'on fact' && isKindOpen(session)) return 'wait'
  if (!isEnough) return 'talk'
  if (round.objection === undefined) return canChallenge(session) ? 'challenge' : 'stop'
  return round.objection === null ? 'stop' : 'talk'
}
