/** What the moderator says about the question itself, while the seats are busy: nobody waits for it. */
import { statedReadings } from '../core/camps/readings.ts'
import type { Command } from '../core/log/command.ts'
import { isClosed, type Session } from '../core/log/state.ts'
import { kindOf } from '../core/question/kind.ts'

/** Nobody has said what kind of question it is, and the moderator is being asked. */
export const isKindOpen = (session: Session): boolean => canBeAsked(session) && kind(session).length > 0

const kind = (session: Session): Command[] =>
  session.kindFound === undefined && kindOf(session) === undefined ? [{ type: 'find-kind' }] : []

const canBeAsked = ({ moderator, smallModerator, roundsSoFar }: Session): boolean =>
  moderator !== null && !smallModerator && roundsSoFar.length > 0

const readings = (session: Session): Command[] => {
  const round = session.roundsSoFar.find(one => one.sealed)
  if (!round || round.readings !== undefined || !isClosed(session, round)) return []
  return statedReadings(session, round).length > 1 ? [{ type: 'group-readings', round: round.index }] : []
}

/** Asked beside the rounds. A very small moderator can't say any of it. */
export const aboutQuestion = (session: Session): Command[] =>
  canBeAsked(session) ? [...kind(session), ...readings(session)] : []
