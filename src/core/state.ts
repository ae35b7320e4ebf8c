/** The state of a session: a fold over its log, the same in server, terminal and browser. */
import type { Answer } from './answer.ts'
import type { ModelError } from './errors.ts'
import type {
  ChangeWord,
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

/** What an advocate said in its turn, or why it said nothing. */
export type Statement = {
  readonly turn: number
  readonly seat: string
  readonly usage?: Usage
  readonly timing?: Timing
  /** Who held the seat then, where somebody else holds it now. */
  readonly by?: Pick<Seat, 'name' | 'model'>
} & (
  | { readonly argument: string; readonly question: string | null; readonly error?: undefined }
  | { readonly argument?: undefined; readonly error: ModelError }
)

/** Whose case holds better, read in one of the two orders; null: neither. */
export interface Ruling {
  readonly camp: string | null
  readonly words: string
}

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
  /** Digests of the parts of a large table, by batch. */
  readonly parts?: readonly (Digest | undefined)[]
  /** Absent: nobody was asked to object. Null: nothing checkable was found. */
  readonly objection?: string | null
  /** What advocates said after the round, in their turns. */
  readonly statements?: readonly Statement[]
  /** The judge's rulings in its two orders, or what went wrong. */
  readonly rulings?: readonly (Ruling | ModelError | undefined)[]
}

/** A seat's own word on whether it changed its mind. */
export interface CheckedChange {
  readonly says: ChangeWord
  readonly quote: string
  readonly verified: boolean
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
  /** The answer that turned out to be right, and the camps that had said so. */
  readonly resolved?: { readonly answer: string; readonly camps: readonly string[]; readonly at: string }
  /** By seat: what the texts of an imported transcript say of changes of mind, where a moderator read them. */
  readonly changes?: Readonly<Record<string, CheckedChange | ModelError>>
  /** What the moderator's calls used; the seats' use stands with their rounds. */
  readonly moderatorUsage: readonly Usage[]
}

/** A pass of the moderator that came to nothing. */
export const isFailure = (proposal: NonNullable<Round['proposals'][number]>): proposal is ModelError =>
  typeof proposal.message === 'string' && typeof proposal.kind === 'string'

export const checkKey = (seat: string, exemplar: string): string => `${seat} ~ ${exemplar}`

const withRound = (session: Session, index: number, change: (round: Round) => Partial<Round>): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? { ...round, ...change(round) } : round,
  ),
})

const withHandedIn = (session: Session, index: number, seat: string, handedIn: HandedIn): Session =>
  withRound(session, index, round => ({ handedIn: { ...round.handedIn, [seat]: handedIn } }))

const withProposal = (round: Round, pass: number, proposal: Round['proposals'][number]): Partial<Round> => ({
  proposals: placed(round.proposals, pass, proposal),
})

/** A copy of the list with the item in its place. */
const placed = <T>(list: readonly (T | undefined)[] = [], place: number, item: T): (T | undefined)[] => {
  const copy = [...list]
  copy[place] = item
  return copy
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
        withRound(session, event.round, round => {
          const before = event.batch === undefined ? {} : round.proposals[event.pass]
          return withProposal(round, event.pass, { ...before, ...event.labels })
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
    // What advocates said was paid for, and stays said.
    ...(round.statements && { statements: round.statements }),
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
        ...(round.statements && {
          statements: round.statements.map(one =>
            one.seat === newcomer.id ? { by: { name, model }, ...one } : one,
          ),
        }),
      }
    }),
  }
}

/** A moderator joins a record; what an earlier one made of it is made anew. */
const checkedBy = (session: Session, event: SessionEvent & { type: 'check-opened' }): Session => ({
  ...session,
  moderator: event.moderator,
  changes: {},
  roundsSoFar: session.roundsSoFar.map(round => ({ ...round, proposals: [], checks: {} })),
})

const withChange = (session: Session, seat: string, change: CheckedChange | ModelError): Session => ({
  ...session,
  changes: { ...session.changes, [seat]: change },
})

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
        ...(asked.statements && { statements: asked.statements.filter(({ error }) => !wasCutShort(error)) }),
        ...(asked.rulings && {
          rulings: asked.rulings.map(ruling => (wasCutShort(ruling) ? undefined : ruling)),
        }),
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
    case 'change':
      return withChange(noted, subject ?? '', error)
    case 'judge':
      return withRound(noted, round, current => ({
        rulings: placed(current.rulings, Number(subject), error),
      }))
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

/** A call that was made for a seat in a round, with who held the seat then if it was somebody else. */
export interface SeatCall {
  readonly usage?: Usage
  readonly by?: Pick<Seat, 'name' | 'model'>
  readonly failed: boolean
}

/** Every call for a seat in a round: for its answer, for those before it was asked again, for its turns as advocate. */
export const callsIn = (round: Round, seat: string): SeatCall[] => {
  const own = round.handedIn[seat]
  const earlier = round.before.filter(one => one.seat === seat).map(one => one.handedIn)
  const answers = [...earlier, ...(own ? [own] : [])]
  const turns = (round.statements ?? []).filter(statement => statement.seat === seat)
  return [
    ...answers.map(({ usage, by, status }) => ({ usage, by, failed: status === 'silent' })),
    ...turns.map(({ usage, by, error }) => ({ usage, by, failed: error !== undefined })),
  ]
}
