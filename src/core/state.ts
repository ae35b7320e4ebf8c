/** The state of a session: a fold over its log, the same in server, terminal and browser. */
import type { Answer } from './answer.ts'
import type { ModelError } from './errors.ts'
import type {
  Digest,
  Outcome,
  Relation,
  Report,
  SessionEvent,
  SessionOpened,
  Timing,
  Usage,
} from './event.ts'

/** What a seat did in a round. A seat without an entry is still being asked. */
export type HandedIn = { readonly usage?: Usage; readonly timing?: Timing } & (
  | { readonly status: 'given'; readonly answer: Answer }
  | { readonly status: 'silent'; readonly error: ModelError }
  | { readonly status: 'abstained'; readonly words: string }
)

export interface Round {
  readonly index: number
  readonly sealed: boolean
  readonly handedIn: Readonly<Record<string, HandedIn>>
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
  readonly stopped?: { readonly reason: 'budget' | 'interrupted'; readonly words: string }
  readonly outcome?: Outcome
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
    default:
      return event satisfies never
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

/** The answer that a seat gave in a round, if it gave one. */
export const answerIn = (round: Round | undefined, seat: string): Answer | undefined => {
  const handedIn = round?.handedIn[seat]
  return handedIn?.status === 'given' ? handedIn.answer : undefined
}

/** The last answer that a seat gave before a round: a silent round does not make it forget. */
export const answerBefore = (session: Session, index: number, seat: string): Answer | undefined => {
  const earlier = session.roundsSoFar.filter(round => round.index < index)
  return earlier.reduce<Answer | undefined>((last, round) => answerIn(round, seat) ?? last, undefined)
}
