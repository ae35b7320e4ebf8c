/** What a moderator must still be asked before an imported transcript is checked. */
import type { Command } from '../core/log/command.ts'
import { answerIn, latestRound, type Session } from '../core/log/state.ts'
import { groupClosed } from './steps.ts'

export const checkSteps = (session: Session): Command[] => {
  const round = latestRound(session)
  if (!round || !session.changes) return []
  // In a sealed round nobody has read anything yet, so nobody can have changed its mind.
  const unread = round.sealed
    ? []
    : session.seats.filter(({ id }) => answerIn(round, id) && session.changes?.[id] === undefined)
  return [
    ...groupClosed(session),
    ...unread.map(({ id }) => ({ type: 'check-change' as const, round: round.index, seat: id })),
  ]
}
