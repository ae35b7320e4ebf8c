/** What taking back an end does to the state: seats asked again, newcomers, calls that were cut short. */
import type { Seat } from './event.ts'
import { type HandedIn, latestRound, type Round, type Session, seatOf } from './session.ts'

/** The end is taken back, and with it whatever was said of the whole. */
export const reopened = (session: Session): Session => {
  const {
    outcome: _outcome,
    report: _report,
    reportBy: _by,
    stopped: _stopped,
    drafted: _drafted,
    ...open
  } = session
  return { ...open, rejectedReports: [] }
}

/** A round with fewer answers than before: what was made of all of them is made again. */
const unread = (round: Round, kept: (handedIn: HandedIn, seat: string) => boolean): Round => {
  const entries = Object.entries(round.handedIn)
  const dropped = entries.filter(([seat, handedIn]) => !kept(handedIn, seat))
  if (dropped.length === 0) return round
  const { index, sealed, openedAt, before, prompts, askedAt, askedAgain, said } = round
  return {
    index,
    sealed,
    openedAt,
    ...(prompts !== undefined && { prompts }),
    ...(askedAt !== undefined && { askedAt }),
    ...(askedAgain && { askedAgain }),
    ...(said && { said }),
    handedIn: Object.fromEntries(entries.filter(([seat, handedIn]) => kept(handedIn, seat))),
    before: [...before, ...dropped.map(([seat, handedIn]) => ({ seat, handedIn }))],
    proposals: [],
    checks: {},
    // What advocates said was paid for, and stays said.
    ...(round.statements && { statements: round.statements }),
  }
}

export const askedAgain = (session: Session, index: number, seat: string): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? unread(round, (_, other) => other !== seat) : round,
  ),
})

export const withNewcomer = (session: Session, newcomer: Seat): Session => {
  const { name, model } = seatOf(session, newcomer.id)
  const signed = (handedIn: HandedIn): HandedIn => ({ by: { name, model }, ...handedIn })
  return {
    ...session,
    seats: session.seats.map(seat => (seat.id === newcomer.id ? newcomer : seat)),
    roundsSoFar: session.roundsSoFar.map(round => {
      const own = round.handedIn[newcomer.id]
      return {
        ...round,
        ...(own && { handedIn: { ...round.handedIn, [newcomer.id]: signed(own) } }),
        before: round.before.map(one =>
          one.seat === newcomer.id ? { ...one, handedIn: signed(one.handedIn) } : one,
        ),
        ...(round.statements && {
          statements: round.statements.map(one =>
            one.seat === newcomer.id ? { by: { name, model }, ...one } : one,
          ),
        }),
      }
    }),
  }
}

const wasCutShort = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'cancelled' || value.kind === 'budget')

/** What the moderator failed at in a round is asked of it again, if the failure is one of these. */
export const withoutFailures = (round: Round, isDropped: (value: unknown) => boolean): Round => {
  const { unread: failed, ...rest } = round
  return {
    ...rest,
    ...(failed && !isDropped(failed) && { unread: failed }),
    proposals: round.proposals.map(proposal => (isDropped(proposal) ? undefined : proposal)),
    checks: Object.fromEntries(Object.entries(round.checks).filter(([, check]) => !isDropped(check))),
    ...(round.statements && { statements: round.statements.filter(({ error }) => !isDropped(error)) }),
    ...(round.rulings && {
      rulings: round.rulings.map(ruling => (isDropped(ruling) ? undefined : ruling)),
    }),
  }
}

/** Calls that were cut short are made after all. */
export const resumedFrom = (session: Session): Session => {
  const last = latestRound(session)?.index
  const { searchFailed, ...open } = reopened(session)
  return {
    ...open,
    ...(searchFailed && !wasCutShort(searchFailed) && { searchFailed }),
    roundsSoFar: session.roundsSoFar.map(round => {
      const asked =
        round.index === last
          ? unread(round, handedIn => handedIn.status !== 'silent' || !wasCutShort(handedIn.error))
          : round
      return withoutFailures(asked, wasCutShort)
    }),
  }
}
