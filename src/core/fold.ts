/** Steps of the fold that change one round, or note what the moderator used. */
import { type ModelError, UsageError } from './basics.ts'
import type { SessionEvent, Usage } from './event.ts'
import type { Seat } from './opening.ts'
import {
  type AskerWords,
  askedAgain,
  type CheckedChange,
  callsIn,
  checkKey,
  forkedAt,
  type HandedIn,
  isClosed,
  latestRound,
  type Round,
  reopened,
  resumedFrom,
  roundAt,
  type SeatCall,
  type Session,
  type Statement,
  seatOf,
  takenLate,
  withNewcomer,
} from './session.ts'

export {
  type AskerWords,
  answerBefore,
  answerIn,
  type CheckedChange,
  callsIn,
  checkKey,
  type DraftedReport,
  type HandedIn,
  isClosed,
  isFailure,
  isOverdue,
  latestRound,
  type ModeratorFailure,
  type Reading,
  type Round,
  type Ruling,
  roundAt,
  roundBefore,
  type SeatCall,
  type Session,
  type Statement,
  seatOf,
  seatsIn,
} from './session.ts'

export const withUsage = (session: Session, usage: Usage | undefined): Session =>
  usage ? { ...session, moderatorUsage: [...session.moderatorUsage, usage] } : session

export const withRound = (
  session: Session,
  index: number,
  change: (round: Round) => Partial<Round>,
): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? { ...round, ...change(round) } : round,
  ),
})

export const withHandedIn = (before: Session, index: number, seat: string, made: HandedIn): Session => {
  const { session, handedIn } = takenLate(before, index, seat, made)
  return withRound(session, index, round => ({ handedIn: { ...round.handedIn, [seat]: handedIn } }))
}

/** A copy of the list with the item in its place. */
export const placed = <T>(
  list: readonly (T | undefined)[] = [],
  place: number,
  item: T,
): (T | undefined)[] => {
  const copy = [...list]
  copy[place] = item
  return copy
}

export const withProposal = (
  round: Round,
  pass: number,
  proposal: Round['proposals'][number],
): Partial<Round> => ({
  proposals: placed(round.proposals, pass, proposal),
})

export const withChecks = (
  round: Round,
  { checks, missing = [] }: SessionEvent & { type: 'memberships-checked' },
): Partial<Round> => ({
  checks: {
    ...round.checks,
    ...Object.fromEntries(checks.map(one => [checkKey(one.seat, one.exemplar), one.relation])),
  },
  ...(missing.length > 0 && {
    missedChecks: [
      ...(round.missedChecks ?? []),
      ...missing.map(({ seat, exemplar }) => checkKey(seat, exemplar)),
    ],
  }),
})

export const withReading = (
  round: Round,
  { labels, positions, objection, digest }: SessionEvent & { type: 'round-read' },
): Partial<Round> => ({
  ...(labels && withProposal(round, 0, labels)),
  ...(positions && { positions: placed(round.positions, 0, positions) }),
  ...(objection !== undefined && { objection }),
  ...(digest && { digest }),
})

// joining: What people add to a session while it runs: a seat from the next round on, and words of the asker.

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

// moderatorFailures: What a task that failed, or a reading that lacks something, does to the state: it is noted, and the session goes on.

/** What a reading should have had is a failure like any other, so that it is shown. */
export const withLacking = (
  session: Session,
  { round, missing = [] }: SessionEvent & { type: 'round-read' },
): Session => {
  if (missing.length === 0) return session
  const error = { kind: 'bad-shape', message: `the reading lacks its ${missing.join(' and ')}` } as const
  return { ...session, failures: [...session.failures, { task: 'reading', round, error }] }
}

export const withChange = (session: Session, seat: string, change: CheckedChange | ModelError): Session => ({
  ...session,
  changes: { ...session.changes, [seat]: change },
})

/** A pass or an order. Any other number in a log would make a list of that length. */
const oneOfTwo = (subject: string | undefined): 0 | 1 => (subject === '1' ? 1 : 0)

/** A task that failed is done: what it would have said is left open, and the failure is kept. */
export const moderatorFailed = (
  session: Session,
  event: SessionEvent & { type: 'moderator-failed' },
): Session => {
  const { task, round, error, subject, subjects = [subject ?? ''] } = event
  const noted = withUsage(
    { ...session, failures: [...session.failures, { task, round, error }] },
    event.usage,
  )
  switch (task) {
    case 'kind':
      return { ...noted, kindFound: null }
    case 'readings':
      return withRound(noted, round, () => ({ readings: error }))
    case 'reading':
      return withRound(noted, round, () => ({ unread: error }))
    case 'group':
      return withRound(noted, round, current => withProposal(current, oneOfTwo(subject), error))
    case 'check':
      return withRound(noted, round, current => ({
        checks: { ...current.checks, ...Object.fromEntries(subjects.map(key => [key, error])) },
      }))
    case 'challenge':
      return withRound(noted, round, () => ({ objection: null }))
    case 'change':
      return withChange(noted, subject ?? '', error)
    case 'judge':
      return withRound(noted, round, current => ({
        rulings: placed(current.rulings, oneOfTwo(subject), error),
      }))
    case 'digest':
    case 'report':
      return noted
    default:
      return task satisfies never
  }
}

// state: The state of a session: a fold over its log, the same in server, terminal and browser.

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
  const after = {
    ...withoutCall(applyTo(before, event), event),
    position: event.position + 1,
    lastAt: event.at,
  }
  const time = moderatorTime(event)
  return time === undefined ? after : { ...after, moderatorTimes: [...after.moderatorTimes, time] }
}

/** The call has come to something: from now on what it used counts, and no longer what it held. */
const withoutCall = (session: Session, event: SessionEvent): Session => {
  const ended = 'call' in event ? event.call : undefined
  if (ended === undefined || !session.callsBegun?.[ended]) return session
  const { [ended]: _ended, ...callsBegun } = session.callsBegun
  return { ...session, callsBegun }
}

/** What calls used, or may have used, that were never made again after their process had died. */
const withLostCalls = ({ callsBegun = {}, ...session }: Session): Session => ({
  ...session,
  moderatorUsage: [
    ...session.moderatorUsage,
    ...Object.values(callsBegun).flatMap(({ held, used }) => [
      ...(used ? [used] : []),
      ...(held ? [held] : []),
    ]),
  ],
})

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
    case 'calls-begun': {
      const begun = Object.fromEntries(event.calls.map(one => [one.call, one]))
      return { ...session, callsBegun: { ...session.callsBegun, ...begun } }
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
      return { ...withLostCalls(session), outcome: event.outcome }
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

// sharedLog: Which events a fork in the middle of a session shares with it.

/** A copy has the other session's times, and places of its own. */
const renumbered = (events: readonly SessionEvent[]): SessionEvent[] =>
  events.map((event, position) => ({ ...event, position }))

/** What ends a session. A fork doesn't end where the other one did. That it was stopped stays: then the fork resumes it. */
const isEnding = (event: SessionEvent): boolean =>
  event.type === 'report-drafted' ||
  event.type === 'report-written' ||
  event.type === 'session-finished' ||
  (event.type === 'moderator-failed' && event.task === 'report')

/** What people do with a session that is over, and what its calls held. It says nothing about its fork. */
const isLater = ({ type }: SessionEvent): boolean => type === 'session-resolved' || type === 'calls-begun'

const withoutEnd = (events: readonly SessionEvent[]): SessionEvent[] =>
  events.slice(0, events.findLastIndex(event => !isEnding(event)) + 1)

const answerTypes: ReadonlySet<SessionEvent['type']> = new Set([
  'answer-given',
  'seat-silent',
  'seat-abstained',
] as const)

/** What the moderator found out about the shared rounds while the next one was under way. Late answers would change it. */
const foundLater = (events: readonly SessionEvent[], round: number): SessionEvent[] => {
  const early = events.filter(event => 'round' in event && event.round <= round)
  if (early.some(({ type }) => answerTypes.has(type))) return []
  return events.filter(event => {
    if ('outdated' in event && event.outdated) return false
    switch (event.type) {
      case 'camps-proposed':
      case 'membership-checked':
      case 'memberships-checked':
      case 'readings-grouped':
      case 'ruling-given':
        return event.round <= round
      case 'kind-found':
      case 'kind-corrected':
        return true
      default:
        return false
    }
  })
}

/** What a protocol does with a round before it opens the next one. Another protocol does something else with it. */
const withoutSteps = (events: readonly SessionEvent[], round: number): SessionEvent[] =>
  events.flatMap((event): SessionEvent[] => {
    if (!('round' in event) || event.round !== round) return [event]
    switch (event.type) {
      case 'digest-written':
      case 'challenge-made':
      case 'statement-made':
      case 'ruling-given':
        return []
      case 'round-read': {
        const { objection: _objection, digest: _digest, missing: _missing, ...labelled } = event
        return labelled.labels ? [labelled] : []
      }
      case 'moderator-failed':
        return event.task === 'digest' || event.task === 'challenge' || event.task === 'judge' ? [] : [event]
      default:
        return [event]
    }
  })

/**
 * The events of a log up to the close of a round, with what was made of that round before the next one was opened.
 * Throws UsageError if the round isn't closed.
 */
export const sharedLog = (
  log: readonly SessionEvent[],
  round: number,
  sameProtocol: boolean,
): SessionEvent[] => {
  if (fold(log).imported)
    throw new UsageError('An imported session has no log to share: fork it from the start, without a round.')
  const next = log.findIndex(event => event.type === 'round-opened' && event.round > round)
  const cut = next < 0 ? log.length : next
  const shared = withoutEnd(log.slice(0, cut).filter(event => !isLater(event)))
  const session = fold(shared)
  const last = latestRound(session)
  if (last?.index !== round || !isClosed(session, last)) throw notClosed(round, closedRounds(fold(log)))
  const events = [...shared, ...foundLater(log.slice(cut), round)]
  return renumbered(sameProtocol ? events : withoutSteps(events, round))
}

/** The rounds at which a session can be forked. */
export const closedRounds = (session: Session): number[] =>
  session.imported
    ? []
    : session.roundsSoFar.filter(round => isClosed(session, round)).map(({ index }) => index)

const notClosed = (round: number, closed: readonly number[]): UsageError =>
  new UsageError(
    closed.length === 0
      ? 'No round of this session is closed yet: wait, or fork it from the start, without a round.'
      : `Round ${round} is not a closed round of this session. It can be forked at ${closed.join(', ')}.`,
  )

// usage: Sums of what calls used: by seat, by round, and for the whole session.

type Optional = 'estimated' | 'excessTokens' | 'searches' | 'subscription'
export type UsageSum = Required<Omit<Usage, Optional>> & Pick<Usage, Optional>

/** One unknown price makes the sum unknown: a sum of the known ones would look like the whole bill. */
const summedCost = (usages: readonly (Usage | undefined)[]): number | null => {
  let sum = 0
  for (const usage of usages) {
    if (!usage || usage.costUsd === null) return null
    sum += usage.costUsd
  }
  return Number(sum.toPrecision(12))
}

/** `undefined` stands for a call that was made and gave no figures. */
const sumOf = (usages: readonly (Usage | undefined)[]): UsageSum => {
  const sum = (
    field:
      | 'inputTokens'
      | 'outputTokens'
      | 'cachedTokens'
      | 'cacheWriteTokens'
      | 'reasoningTokens'
      | 'searches'
      | 'excessTokens',
  ): number => usages.reduce((total, usage) => total + (usage?.[field] ?? 0), 0)
  const excessTokens = sum('excessTokens')
  const searches = sum('searches')
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    reasoningTokens: sum('reasoningTokens'),
    costUsd: summedCost(usages),
    ...(searches > 0 && { searches }),
    ...(excessTokens > 0 && { excessTokens }),
    ...(usages.some(usage => usage?.estimated) && { estimated: true }),
    ...(usages.some(usage => usage?.subscription) && { subscription: true as const }),
  }
}

/** A call that failed without figures was not billed, as far as anybody knows; an answer always was. */
const usagesOf = (calls: readonly SeatCall[]): (Usage | undefined)[] =>
  calls.filter(({ failed, usage }) => !failed || usage).map(({ usage }) => usage)

const seatUsages = (session: Session, round: Round): (Usage | undefined)[] =>
  session.seats.flatMap(({ id }) => usagesOf(callsIn(round, id)))

export const usageOf = (session: Session): UsageSum =>
  sumOf([...session.roundsSoFar.flatMap(round => seatUsages(session, round)), ...session.moderatorUsage])

export const moderatorUsageOf = (session: Session): UsageSum => sumOf(session.moderatorUsage)

/** By seat id. */
export const usageBySeat = (session: Session): Record<string, UsageSum> =>
  Object.fromEntries(
    session.seats.map(({ id }) => [
      id,
      sumOf(session.roundsSoFar.flatMap(round => usagesOf(callsIn(round, id)))),
    ]),
  )

/** What the seats used in each round; the moderator's use is summed apart. */
export const usageByRound = (session: Session): (UsageSum & { readonly round: number })[] =>
  session.roundsSoFar.map(round => ({ round: round.index, ...sumOf(seatUsages(session, round)) }))
