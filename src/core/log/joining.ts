/** What people add to a session while it runs: a seat from the next round on, and words of the asker. */
import type { Seat, SessionEvent } from './event.ts'
import { withRound } from './round-changes.ts'
import { type AskerWords, isClosed, latestRound, type Session } from './session.ts'

const openRounds = ({ roundsSoFar }: Session): number => roundsSoFar.filter(round => !round.sealed).length

/** The newcomer is asked in the next round, so there is one. */
export const joinedBy = (session: Session, seat: Seat): Session => {
  const wanted = openRounds(session) + 1
  return {
    ...session,
    seats: [...session.seats, seat],
    rounds: Math.max(session.rounds, wanted),
    wanted: Math.max(session.wanted ?? 0, wanted),
  }
}

/**
 * Words that come while a round is being answered are read in the next one: the protocol doesn't end early then. They
 * never add a round beyond those that were asked for.
 */
export const withWords = (
  session: Session,
  { words, to, at }: SessionEvent & { type: 'asker-said' },
): Session => {
  const round = latestRound(session)
  if (!round) return session
  const said: AskerWords = { words, ...(to !== undefined && { to }), at }
  const kept = withRound(session, round.index, ({ said: before = [] }) => ({ said: [...before, said] }))
  const wanted = Math.min(openRounds(session) + 1, session.rounds)
  if (isClosed(session, round) || wanted <= (session.wanted ?? 0)) return kept
  return { ...kept, wanted }
}

/** What the asker has said before a round, for a seat or for all. */
export const wordsBefore = ({ roundsSoFar }: Session, index: number, seat?: string): AskerWords[] =>
  roundsSoFar
    .filter(round => round.index < index)
    .flatMap(({ said = [] }) => said)
    .filter(({ to }) => seat === undefined || to === undefined || to === seat)
