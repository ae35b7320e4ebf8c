/** What a fork in the middle of a session does to the state: the copied part is paid for, and the table may change. */
import type { Seat, SessionEvent } from './event.ts'
import { reopened, resumedFrom, withNewcomer, withoutFailures } from './reopening.ts'
import { type HandedIn, isFailure, type Round, type Session } from './session.ts'

type Forked = SessionEvent & { type: 'session-forked' }

const copied = <T extends HandedIn | NonNullable<Round['statements']>[number]>(made: T): T => ({
  ...made,
  copied: true,
})

const copiedRound = (round: Round): Round => ({
  ...round,
  handedIn: Object.fromEntries(Object.entries(round.handedIn).map(([seat, made]) => [seat, copied(made)])),
  before: round.before.map(one => ({ ...one, handedIn: copied(one.handedIn) })),
  ...(round.statements && { statements: round.statements.map(copied) }),
})

/** Another model takes its seat; the same one may have got another brief or another voice. */
const withSeat = (session: Session, seat: Seat): Session => {
  const before = session.seats.find(({ id }) => id === seat.id)
  if (before && before.model !== seat.model) return withNewcomer(session, seat)
  return { ...session, seats: session.seats.map(one => (one.id === seat.id ? seat : one)) }
}

const isModelError = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isFailure(value)

/**
 * The state at the fork: the end of the other session is taken back, what it used isn't counted here, and the table is as
 * the event says. What another moderator failed at is asked of the new one.
 */
export const forkedAt = (before: Session, event: Forked): Session => {
  const { type: _type, position: _position, at, seats, wanted, ...settings } = event
  const open = before.stopped ? resumedFrom(before) : reopened(before)
  const { budget: _budget, patience: _patience, smallModerator: _small, wanted: _wanted, ...kept } = open
  const rounds = kept.roundsSoFar.map(copiedRound)
  const shared: Session = {
    ...kept,
    ...settings,
    ...(wanted !== undefined && { wanted }),
    openedAt: at,
    roundsSoFar:
      settings.moderator === before.moderator
        ? rounds
        : rounds.map(round => withoutFailures(round, isModelError)),
    moderatorUsage: [],
  }
  return seats.reduce(withSeat, shared)
}
