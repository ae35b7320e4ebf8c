/** The state of a session: a fold over its log, the same in server, terminal and browser. */
import type { SessionEvent } from './event.ts'
import { forkedAt } from './forking.ts'
import { joinedBy, withWords } from './joining.ts'
import { moderatorFailed, withChange, withLacking } from './moderator-failures.ts'
import { askedAgain, reopened, resumedFrom, withNewcomer } from './reopening.ts'
import {
  placed,
  withChecks,
  withHandedIn,
  withProposal,
  withReading,
  withRound,
  withUsage,
} from './round-changes.ts'
import {
  checkKey,
  latestRound,
  type Round,
  roundAt,
  type Session,
  type Statement,
  seatOf,
} from './session.ts'

export * from './session.ts'

const hasOutside = ({ seats }: Session): boolean => seats.some(({ outside }) => outside)

/** Whoever holds a seat from outside has answered already. */
const isHandedIn = (session: Session, index: number, seat: string): boolean =>
  seatOf(session, seat).outside === true && roundAt(session, index)?.handedIn[seat]?.status === 'given'

/** The latest round is asked again: whoever is outside gets the whole time again. */
const askedAt = (session: Session, at: string): Session =>
  hasOutside(session)
    ? withRound(session, latestRound(session)?.index ?? -1, () => ({ askedAt: at }))
    : session

/** One seat is asked again: the others' time goes on. */
const seatAskedAt = (session: Session, index: number, seat: string, at: string): Session =>
  seatOf(session, seat).outside
    ? withRound(session, index, ({ askedAgain }) => ({ askedAgain: { ...askedAgain, [seat]: at } }))
    : session

/** A draft that comes after another round was opened is about a table that has moved on. */
const withDrafted = (session: Session, event: SessionEvent & { type: 'report-drafted' }): Session => {
  const { round, draft, leading, moved, changed, rejected = [] } = event
  if (session.report || round !== latestRound(session)?.index) return session
  return {
    ...session,
    drafted: { ...(draft && { draft }), leading, moved, ...(changed && { changed }), rejected },
  }
}

const withoutDraft = ({ drafted: _drafted, ...session }: Session): Session => session

/** A moderator reads an imported transcript; what an earlier one found is found again. */
const checkedBy = (session: Session, event: SessionEvent & { type: 'check-opened' }): Session => ({
  ...session,
  moderator: event.moderator,
  changes: {},
  roundsSoFar: session.roundsSoFar.map(({ positions: _positions, missedChecks: _missed, ...round }) => ({
    ...round,
    proposals: [],
    checks: {},
  })),
})

/** The state after one more event. The first event of a log must open the session. */
export const apply = (before: Session | undefined, event: SessionEvent): Session => {
  if (event.type === 'session-opened') {
    if (before) throw new Error(`The log of session ${before.id} opens a second session.`)
    const { type: _type, at, ...opened } = event
    return {
      ...opened,
      position: event.position + 1,
      openedAt: at,
      lastAt: at,
      roundsSoFar: [],
      rejectedReports: [],
      failures: [],
      moderatorUsage: [],
      moderatorTimes: [],
    }
  }
  if (!before) throw new Error(`A log begins with session-opened, and this one begins with ${event.type}.`)
  const after = { ...applyTo(before, event), position: event.position + 1, lastAt: event.at }
  const time = moderatorTime(event)
  return time === undefined ? after : { ...after, moderatorTimes: [...after.moderatorTimes, time] }
}

/** Undefined for events that a seat's call led to. */
const moderatorTime = (event: SessionEvent): number | undefined =>
  'timing' in event && !('seat' in event) ? event.timing?.total : undefined

const applyTo = (session: Session, event: Exclude<SessionEvent, { type: 'session-opened' }>): Session => {
  if ('outdated' in event && event.outdated) return withUsage(session, event.usage)
  switch (event.type) {
    case 'evidence-found':
      return withUsage({ ...session, sources: event.sources, searchedBy: event.by }, event.usage)
    case 'search-failed':
      return withUsage({ ...session, searchFailed: event.error, searchedBy: event.by }, event.usage)
    case 'round-opened': {
      const round: Round = {
        index: event.round,
        sealed: event.sealed,
        openedAt: event.at,
        ...(event.prompts !== undefined && { prompts: event.prompts }),
        ...(hasOutside(session) && { askedAt: event.at }),
        handedIn: {},
        before: [],
        proposals: [],
        checks: {},
      }
      // A report that was written too early says nothing of this round.
      const { drafted: _drafted, report: _report, reportBy: _by, ...open } = session
      return { ...open, roundsSoFar: [...session.roundsSoFar, round] }
    }
    case 'answer-given': {
      const { answer, usage, timing } = event
      return withHandedIn(session, event.round, event.seat, { status: 'given', answer, usage, timing })
    }
    case 'seat-silent': {
      const { error, usage, timing } = event
      // An answer may have been handed in a moment before its deadline was noted.
      if (isHandedIn(session, event.round, event.seat)) return session
      return withHandedIn(session, event.round, event.seat, { status: 'silent', error, usage, timing })
    }
    case 'seat-abstained': {
      const { words, usage, timing } = event
      return withHandedIn(session, event.round, event.seat, { status: 'abstained', words, usage, timing })
    }
    case 'seat-overdue':
      return withRound(session, event.round, ({ overdue = [] }) => ({ overdue: [...overdue, event.seat] }))
    case 'kind-found':
      return withUsage({ ...session, kindFound: event.kind }, event.usage)
    case 'kind-corrected':
      return { ...session, kind: event.kind }
    case 'readings-grouped':
      return withUsage(
        withRound(session, event.round, () => ({ readings: event.readings })),
        event.usage,
      )
    case 'round-read':
      return withUsage(
        withRound(withLacking(session, event), event.round, round => withReading(round, event)),
        event.usage,
      )
    case 'camps-proposed':
      return withUsage(
        withRound(session, event.round, round => {
          const before = event.batch === undefined ? {} : round.proposals[event.pass]
          const positions = event.batch === undefined ? {} : round.positions?.[event.pass]
          return {
            ...withProposal(round, event.pass, { ...before, ...event.labels }),
            ...(event.positions && {
              positions: placed(round.positions, event.pass, { ...positions, ...event.positions }),
            }),
          }
        }),
        event.usage,
      )
    case 'membership-checked':
      return withUsage(
        withRound(session, event.round, round => ({
          checks: { ...round.checks, [checkKey(event.seat, event.exemplar)]: event.relation },
        })),
        event.usage,
      )
    case 'memberships-checked':
      return withUsage(
        withRound(session, event.round, round => withChecks(round, event)),
        event.usage,
      )
    case 'digest-written':
      return withUsage(
        withRound(session, event.round, round =>
          event.batch === undefined
            ? { digest: event.digest }
            : { parts: placed(round.parts, event.batch, event.digest) },
        ),
        event.usage,
      )
    case 'challenge-made':
      return withUsage(
        withRound(session, event.round, () => ({ objection: event.objection })),
        event.usage,
      )
    case 'statement-made': {
      const { turn, seat, said, usage, timing } = event
      const statement: Statement = { turn, seat, ...said, usage, timing }
      return withRound(session, event.round, round => ({
        statements: [...(round.statements ?? []), statement],
      }))
    }
    case 'ruling-given': {
      const { order, camp, words } = event
      return withUsage(
        withRound(session, event.round, round => ({
          rulings: placed(round.rulings, order, { camp, words }),
        })),
        event.usage,
      )
    }
    case 'moderator-failed':
      return moderatorFailed(session, event)
    case 'report-drafted':
      return withUsage(withDrafted(session, event), event.usage)
    case 'report-written':
      return withUsage(
        {
          ...withoutDraft(session),
          report: event.report,
          reportBy: event.by,
          rejectedReports: event.rejected ?? [],
        },
        event.usage,
      )
    case 'session-stopped':
      return { ...session, stopped: { reason: event.reason, words: event.words } }
    case 'session-finished':
      return { ...session, outcome: event.outcome }
    case 'seat-retried':
      return seatAskedAt(
        askedAgain(reopened(session), event.round, event.seat),
        event.round,
        event.seat,
        event.at,
      )
    case 'seat-replaced':
      return withNewcomer(askedAgain(reopened(session), event.round, event.seat.id), event.seat)
    case 'round-added': {
      const wanted = session.roundsSoFar.filter(round => !round.sealed).length + 1
      return { ...reopened(session), rounds: Math.max(session.rounds, wanted), wanted }
    }
    case 'seat-joined':
      return joinedBy(session, event.seat)
    case 'asker-said':
      return withWords(session, event)
    case 'session-resumed':
      return askedAt(resumedFrom(session), event.at)
    case 'session-resolved': {
      const { answer, camps, at } = event
      return { ...session, resolved: { answer, camps, at } }
    }
    case 'book-opened':
      return { ...session, bookOpenedAt: event.at }
    case 'check-opened':
      return checkedBy(session, event)
    case 'change-checked': {
      const { seat, says, quote, verified } = event
      return withUsage(withChange(session, seat, { says, quote, verified }), event.usage)
    }
    case 'session-forked':
      return askedAt(forkedAt(session, event), event.at)
    default:
      return event satisfies never
  }
}

export const fold = (events: readonly SessionEvent[]): Session => {
  let session: Session | undefined
  for (const event of events) session = apply(session, event)
  if (!session) throw new Error('An empty log holds no session.')
  return session
}
