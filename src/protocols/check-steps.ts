/** What is still to be asked of a moderator before an imported transcript is checked. */
import type { Command } from '../core/log/command.ts'
import { answerIn, latestRound, type Session } from '../core/log/state.ts'
import { groupClosed } from './steps.ts'

export const checkSteps = (session: Session): Command[] => {
  const round = latestRound(session)
  if (!round || !session.changes) return []
  // Nobody had read anything before a sealed round, so there was no mind to change.
  const unread = round.sealed
    ? []
    : session.seats.filter(({ id }) => answerIn(round, id) && session.changes?.[id] === undefined)
  return [
    ...groupClosed(session),
    ...unread.map(({ id }) => ({ type: 'check-change' as const, round: round.index, seat: id })),
  ]
}
