/** The state of a session: a fold over its log, the same in server, terminal and browser. */
import type { Answer } from './answer.ts'
import type { ModelError } from './errors.ts'
import type {
  Digest,
  Outcome,
  Relation,
  Report,
  Seat,
  SessionEvent,
  SessionOpened,
  StopReason,
  Timing,
  Usage,
} from './event.ts'

/** What a seat did in a round. A seat without an entry is still being asked. */
export type HandedIn = {
  readonly usage?: Usage
  readonly timing?: Timing
  /** Who held the seat then, where somebody else holds it now. */
  readonly by?: Pick<Seat, 'name' | 'model'>
} & (
  | { readonly status: 'given'; readonly answer: Answer }
  | { readonly status: 'silent'; readonly error: ModelError }
  | { readonly status: 'abstained'; readonly words: string }
)

export interface Round {
  readonly index: number
  readonly sealed: boolean
  readonly handedIn: Readonly<Record<string, HandedIn>>
  /** What seats did before they were asked again: it was paid for, and is not forgotten. */
  readonly before: readonly { readonly seat: string; readonly handedIn: HandedIn }[]
  /** The moderator's two passes over the headlines: a label for each seat, or what went wrong. */
  readonly proposals: readonly (Readonly<Record<string, string>> | ModelError | undefined)[]
  /** By `checkKey`: how a seat's headline relates to a camp's exemplar. */
  readonly checks: Readonly<Record<string, Relation | ModelError>>
  readonly digest?: Digest
  /** Absent: nobody was asked to object. Null: nothing checkable was found. */
  readonly objection?: string | null
}

export interface ModeratorFailure {
  readonly task: string
  readonly round: number
  readonly error: ModelError
}

export interface Session extends Omit<SessionOpened, 'type'> {
  /** The next position of the log. */
  readonly position: number
  readonly openedAt: string
  readonly lastAt: string
  readonly roundsSoFar: readonly Round[]
  readonly report?: Report
  readonly reportBy?: 'moderator' | 'code'
  readonly rejectedReports: readonly string[]
  readonly failures: readonly ModeratorFailure[]
  readonly stopped?: { readonly reason: StopReason; readonly words: string }
  readonly outcome?: Outcome
  /** How many open rounds a person asked for beyond the protocol's own judgement. */
  readonly wanted?: number
  /** What the moderator's calls used; the seats' use stands with their rounds. */
  readonly moderatorUsage: readonly Usage[]
}

export const checkKey = (seat: string, exemplar: string): string => `${seat} ~ ${exemplar}`

const withRound = (session: Session, index: number, change: (round: Round) => Partial<Round>): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? { ...round, ...change(round) } : round,
  ),
})

const withHandedIn = (session: Session, index: number, seat: string, handedIn: HandedIn): Session =>
  withRound(session, index, round => ({ handedIn: { ...round.handedIn, [seat]: handedIn } }))

const withProposal = (round: Round, pass: number, proposal: Round['proposals'][number]): Partial<Round> => {
  const proposals = [...round.proposals]
  proposals[pass] = proposal
  return { proposals }
}

const withUsage = (session: Session, usage: Usage | undefined): Session =>
  usage ? { ...session, moderatorUsage: [...session.moderatorUsage, usage] } : session

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
    }
  }
  if (!before) throw new Error(`A log begins with session-opened, and this one begins with ${event.type}.`)
  return { ...applyTo(before, event), position: event.position + 1, lastAt: event.at }
}

const applyTo = (session: Session, event: Exclude<SessionEvent, { type: 'session-opened' }>): Session => {
  switch (event.type) {
    case 'round-opened': {
      const round: Round = {
        index: event.round,
        sealed: event.sealed,
        handedIn: {},
        before: [],
        proposals: [],
        checks: {},
      }
      return { ...session, roundsSoFar: [...session.roundsSoFar, round] }
    }
    case 'answer-given': {
      const { answer, usage, timing } = event
      return withHandedIn(session, event.round, event.seat, { status: 'given', answer, usage, timing })
    }
    case 'seat-silent': {
      const { error, usage, timing } = event
      return withHandedIn(session, event.round, event.seat, { status: 'silent', error, usage, timing })
    }
    case 'seat-abstained': {
      const { words, usage, timing } = event
      return withHandedIn(session, event.round, event.seat, { status: 'abstained', words, usage, timing })
    }
    case 'camps-proposed':
      return withUsage(
        withRound(session, event.round, round => withProposal(round, event.pass, event.labels)),
        event.usage,
      )
    case 'membership-checked':
      return withUsage(
        withRound(session, event.round, round => ({
          checks: { ...round.checks, [checkKey(event.seat, event.exemplar)]: event.relation },
        })),
        event.usage,
      )
    case 'digest-written':
      return withUsage(
        withRound(session, event.round, () => ({ digest: event.digest })),
        event.usage,
      )
    case 'challenge-made':
      return withUsage(
        withRound(session, event.round, () => ({ objection: event.objection })),
        event.usage,
      )
    case 'moderator-failed':
      return moderatorFailed(session, event)
    case 'report-written':
      return withUsage(
        { ...session, report: event.report, reportBy: event.by, rejectedReports: event.rejected ?? [] },
        event.usage,
      )
    case 'session-stopped':
      return { ...session, stopped: { reason: event.reason, words: event.words } }
    case 'session-finished':
      return { ...session, outcome: event.outcome }
    case 'seat-retried':
      return askedAgain(reopened(session), event.round, event.seat)
    case 'seat-replaced':
      return withNewcomer(askedAgain(reopened(session), event.round, event.seat.id), event.seat)
    case 'round-added': {
      const wanted = session.roundsSoFar.filter(round => !round.sealed).length + 1
      return { ...reopened(session), rounds: Math.max(session.rounds, wanted), wanted }
    }
    case 'session-resumed':
      return resumedFrom(session)
    default:
      return event satisfies never
  }
}

/** The end is taken back, and with it whatever was said of the whole. */
const reopened = (session: Session): Session => {
  const { outcome: _outcome, report: _report, reportBy: _by, stopped: _stopped, ...open } = session
  return { ...open, rejectedReports: [] }
}

/** A round with fewer answers than before: whatever was made of all of them is made anew. */
const unread = (round: Round, kept: (handedIn: HandedIn, seat: string) => boolean): Round => {
  const entries = Object.entries(round.handedIn)
  const dropped = entries.filter(([seat, handedIn]) => !kept(handedIn, seat))
  if (dropped.length === 0) return round
  const { index, sealed, before } = round
  return {
    index,
    sealed,
    handedIn: Object.fromEntries(entries.filter(([seat, handedIn]) => kept(handedIn, seat))),
    before: [...before, ...dropped.map(([seat, handedIn]) => ({ seat, handedIn }))],
    proposals: [],
    checks: {},
  }
}

const askedAgain = (session: Session, index: number, seat: string): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? unread(round, (_, other) => other !== seat) : round,
  ),
})

const withNewcomer = (session: Session, newcomer: Seat): Session => {
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
      }
    }),
  }
}

const wasCutShort = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'cancelled' || value.kind === 'budget')

/** Calls that were cut short are made after all. */
const resumedFrom = (session: Session): Session => {
  const last = latestRound(session)?.index
  return {
    ...reopened(session),
    roundsSoFar: session.roundsSoFar.map(round => {
      const asked =
        round.index === last
          ? unread(round, handedIn => handedIn.status !== 'silent' || !wasCutShort(handedIn.error))
          : round
      return {
        ...asked,
        proposals: asked.proposals.map(proposal => (wasCutShort(proposal) ? undefined : proposal)),
        checks: Object.fromEntries(Object.entries(asked.checks).filter(([, check]) => !wasCutShort(check))),
      }
    }),
  }
}

/** A task that failed is done: what it would have said is left open, and the failure is kept. */
const moderatorFailed = (session: Session, event: SessionEvent & { type: 'moderator-failed' }): Session => {
  const { task, round, error, subject } = event
  const noted = withUsage(
    { ...session, failures: [...session.failures, { task, round, error }] },
    event.usage,
  )
  switch (task) {
    case 'group':
      return withRound(noted, round, current => withProposal(current, Number(subject), error))
    case 'check':
      return withRound(noted, round, current => ({ checks: { ...current.checks, [subject ?? '']: error } }))
    case 'challenge':
      return withRound(noted, round, () => ({ objection: null }))
    case 'digest':
    case 'report':
      return noted
    default:
      return task satisfies never
  }
}

export const fold = (events: readonly SessionEvent[]): Session => {
  let session: Session | undefined
  for (const event of events) session = apply(session, event)
  if (!session) throw new Error('An empty log holds no session.')
  return session
}

export const seatOf = (session: Session, id: string): Session['seats'][number] => {
  const seat = session.seats.find(candidate => candidate.id === id)
  if (!seat) throw new Error(`No seat ${id} in session ${session.id}.`)
  return seat
}

/** Rounds are found by their index: an imported session may lack its first one. */
export const roundAt = (session: Session, index: number): Round | undefined =>
  session.roundsSoFar.find(round => round.index === index)

export const latestRound = (session: Session): Round | undefined => session.roundsSoFar.at(-1)

/** Every seat of the round has answered, abstained or fallen silent. */
export const isClosed = (session: Session, round: Round): boolean =>
  session.seats.every(seat => round.handedIn[seat.id] !== undefined)

/** The answer that was given from a seat in a round, if one was. */
export const answerIn = (round: Round | undefined, seat: string): Answer | undefined => {
  const handedIn = round?.handedIn[seat]
  return handedIn?.status === 'given' ? handedIn.answer : undefined
}

/** The latest round before this one in which whoever holds the seat now gave an answer. */
export const roundBefore = (session: Session, index: number, seat: string): Round | undefined =>
  session.roundsSoFar.findLast(
    round => round.index < index && round.handedIn[seat]?.status === 'given' && !round.handedIn[seat].by,
  )

/** The last answer that a seat gave before a round: a silent round does not make it forget. */
export const answerBefore = (session: Session, index: number, seat: string): Answer | undefined =>
  answerIn(roundBefore(session, index, seat), seat)
