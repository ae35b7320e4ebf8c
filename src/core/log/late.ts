/** Seats that take too long: when a round goes on without them, and what their answers do when they come after all. */
import { median } from '../aggregation/number.ts'
import {
  type HandedIn,
  isClosed,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatsIn,
} from './session.ts'

/** The part of the table that must have handed in before anybody counts as slow. */
const enoughHandedIn = 2 / 3
/** Milliseconds. Nobody is too slow before that, however fast the others were. */
const leastWait = 10_000

/** Milliseconds after which a round no longer waits for a seat. Undefined: it waits. */
export const longestWait = (session: Session, round: Round): number | undefined => {
  const { patience } = session
  const seats = seatsIn(session, round.index)
  const handedIn = Object.values(round.handedIn)
  // A seat that failed at once says nothing about how long an answer takes.
  const times = handedIn.flatMap(({ status, timing }) =>
    status === 'silent' || !timing ? [] : [timing.total],
  )
  if (patience === undefined || times.length === 0) return undefined
  if (handedIn.length < seats.length * enoughHandedIn) return undefined
  return Math.max(leastWait, patience * (median(times, 'linear') ?? 0))
}

/** What the moderator made of a round before one more answer came. */
const withoutReading = ({
  positions: _positions,
  missedChecks: _missed,
  unread: _unread,
  ...round
}: Round): Round => ({ ...round, proposals: [], checks: {} })

/** The camps of later rounds build on those of earlier ones, so these are read again too. */
const readAgain = (session: Session, from: number): Session => {
  const { report: _report, reportBy: _by, drafted: _drafted, ...open } = session
  return {
    ...open,
    rejectedReports: [],
    roundsSoFar: session.roundsSoFar.map(round => (round.index < from ? round : withoutReading(round))),
  }
}

/** Whether what a seat hands in now comes after its round has closed without it. */
const isLate = (session: Session, index: number, seat: string): boolean => {
  const round = roundAt(session, index)
  return round !== undefined && (round.overdue?.includes(seat) ?? false) && isClosed(session, round)
}

/** What a seat hands in, with its mark if it is late; and the session that it is handed in to. */
export const takenLate = (
  session: Session,
  index: number,
  seat: string,
  handedIn: HandedIn,
): { readonly session: Session; readonly handedIn: HandedIn } => {
  if (!isLate(session, index, seat)) return { session, handedIn }
  return {
    session: handedIn.status === 'given' ? readAgain(session, index) : session,
    handedIn: { ...handedIn, late: latestRound(session)?.index ?? index },
  }
}

/** How many answers came late. What was read before the last of them is out of date. */
export const lateAnswers = ({ roundsSoFar }: Session): number =>
  roundsSoFar
    .flatMap(({ handedIn }) => Object.values(handedIn))
    .filter(({ status, late }) => status === 'given' && late !== undefined).length

/**
 * The session as the seats of a round are shown it: without answers that came after the round had been opened. A call
 * that is made again after a crash would otherwise show a seat more than the others have seen.
 */
export const asSeenIn = (session: Session, index: number): Session => {
  const isUnseen = ({ late }: HandedIn): boolean => late !== undefined && late >= index
  const seen = (round: Round): Round =>
    round.index < index && Object.values(round.handedIn).some(isUnseen)
      ? {
          ...round,
          handedIn: Object.fromEntries(Object.entries(round.handedIn).filter(([, one]) => !isUnseen(one))),
        }
      : round
  const roundsSoFar = session.roundsSoFar.map(seen)
  const same = roundsSoFar.every((round, place) => round === session.roundsSoFar[place])
  return same ? session : { ...session, roundsSoFar }
}
