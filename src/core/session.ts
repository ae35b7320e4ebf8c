/** A session as it stands after an event, and the questions that everybody asks of it. */

import type { ModelError } from './basics.ts'
import { reportWriter, wordingOf } from './basics.ts'
import {
  type CallBegun,
  type ChangeWord,
  type Delta,
  type Digest,
  type DraftField,
  draftFields,
  type Outcome,
  type Relation,
  type Report,
  type ReportDraft,
  type Retrying,
  type SessionEvent,
  type StopReason,
  type Timing,
  type Usage,
} from './event.ts'
import type { Kind } from './form.ts'
import type { Seat, SessionOpened } from './opening.ts'
import type { Answer } from './question.ts'
import { median } from './rules.ts'

// draft: What a seat is writing, put together from the pieces that are streamed and never stored.

/** An answer on its way, or what an advocate is saying in its turn. */
export interface Draft extends Readonly<Record<DraftField, string>> {
  readonly round: number
  readonly turn?: number
  /** Why the call is being made again. */
  readonly retrying?: Pick<Retrying, 'attempt' | 'why' | 'waits'>
}

/** What a seat writes in one go. */
type Work = Pick<Draft, 'round' | 'turn'>

const workOf = ({ round, turn }: Work): Work => ({ round, ...(turn !== undefined && { turn }) })

const blank = (work: Work): Draft => ({
  ...workOf(work),
  ...{ thinking: '', points: '', reasoning: '', text: '', headline: '' },
})

/** A point of others as it stands in a draft: their words, and what the seat says of them. */
export const draftPoint = ({ quote, why }: { readonly quote: string; readonly why: string }): string =>
  `“${quote}” ${why}`

/** The draft with one more piece. A piece of another round, turn or try starts a new draft. */
export const written = (before: Draft | undefined, piece: Delta | Retrying): Draft => {
  const goesOn = before?.round === piece.round && before.turn === piece.turn
  const draft = goesOn ? before : blank(piece)
  if (piece.type === 'retrying') {
    const { attempt, why, waits } = piece
    return { ...blank(piece), retrying: { attempt, why, ...(waits && { waits }) } }
  }
  const { retrying: _retrying, ...rest } = draft
  return { ...rest, [piece.field]: piece.whole ? piece.text : draft[piece.field] + piece.text }
}

/** The pieces that give a new watcher the same draft, whatever it had before. */
export const piecesOf = (seat: string, draft: Draft): readonly (Delta | Retrying)[] => {
  const { retrying } = draft
  const work = workOf(draft)
  if (retrying) return [{ type: 'retrying', ...work, seat, ...retrying }]
  return draftFields.flatMap(field =>
    draft[field] === '' ? [] : [{ type: 'delta', ...work, seat, field, text: draft[field], whole: true }],
  )
}

/** The seat, or writer of the report, whose writing an event ends. */
export const endedBy = (event: SessionEvent): string | undefined => {
  switch (event.type) {
    case 'answer-given':
    case 'seat-silent':
    case 'seat-abstained':
    case 'seat-retried':
    case 'statement-made':
      return event.seat
    case 'seat-replaced':
      return event.seat.id
    case 'report-written':
    case 'round-opened':
      return reportWriter
    default:
      return undefined
  }
}

/** What a seat did in a round. A seat without an entry is still being asked. */
export type HandedIn = {
  readonly usage?: Usage
  readonly timing?: Timing
  /** Who held the seat then, if another model holds it now. */
  readonly by?: Pick<Seat, 'name' | 'model'>
  /** It came after the round had closed without it: the index of the latest round at that time. */
  readonly late?: number
  /** It was copied from the session that this one is a fork of, and paid for there. */
  readonly copied?: true
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
  /** Who held the seat then, if another model holds it now. */
  readonly by?: Pick<Seat, 'name' | 'model'>
  /** As in `HandedIn`. */
  readonly copied?: true
} & (
  | {
      readonly argument: string
      readonly question: string | null
      /** The other side convinced it. */
      readonly concedes?: true
      readonly error?: undefined
    }
  | { readonly argument?: undefined; readonly concedes?: undefined; readonly error: ModelError }
)

/** Whose case holds better, read in one of the two orders; null: neither. */
export interface Ruling {
  readonly camp: string | null
  readonly words: string
}

/** One way to read the question, and who reads it so. */
export interface Reading {
  readonly reading: string
  readonly seats: readonly string[]
}

/** What the person who asked added in the middle. */
export interface AskerWords {
  readonly words: string
  /** The seat that it is for. Absent: all of them. */
  readonly to?: string
  readonly at: string
}

export interface Round {
  readonly index: number
  readonly sealed: boolean
  readonly openedAt: string
  /** The version of prompts and forms that the round was asked with. Absent: the first. */
  readonly prompts?: number
  /** When its seats were last asked: the deadline of an answer from outside counts from then. */
  readonly askedAt?: string
  readonly handedIn: Readonly<Record<string, HandedIn>>
  /** By seat: when it alone was asked again, later than the others. */
  readonly askedAgain?: Readonly<Record<string, string>>
  /** What the asker said while this was the latest round. Seats read it in the rounds after it. */
  readonly said?: readonly AskerWords[]
  /** Seats that the round no longer waits for. Their answers still count if they come. */
  readonly overdue?: readonly string[]
  /** What seats did before they were asked again: it was paid for, and is not forgotten. */
  readonly before: readonly { readonly seat: string; readonly handedIn: HandedIn }[]
  /** The moderator's two passes over the headlines: a label for each seat, or what went wrong. */
  readonly proposals: readonly (Readonly<Record<string, string>> | ModelError | undefined)[]
  /** By pass and seat: the id of the position that it was given. Absent: equal labels are one position. */
  readonly positions?: readonly (Readonly<Record<string, string>> | undefined)[]
  /** By `checkKey`: how a seat's headline relates to a camp's exemplar. */
  readonly checks: Readonly<Record<string, Relation | ModelError>>
  /** Checks, by `checkKey`, that a call for several left out: they are made one by one. */
  readonly missedChecks?: readonly string[]
  /** The ways in which seats read the question, if they differ; or what went wrong. */
  readonly readings?: readonly Reading[] | ModelError
  /** Why the round could not be read in one call: what it would have said is asked for step by step. */
  readonly unread?: ModelError
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

/** A report that waits for its counts, and what it was told about the table. */
export interface DraftedReport {
  readonly draft?: ReportDraft
  readonly leading: string | null
  readonly moved: readonly string[]
  readonly changed?: readonly string[]
  readonly rejected: readonly string[]
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
  /** Why the search before the first round failed. */
  readonly searchFailed?: ModelError
  /** Who searched: an endpoint, or `provider/model`. */
  readonly searchedBy?: string
  /** What the moderator says that the question is; null: it couldn't say. A person's word is `kind`. */
  readonly kindFound?: Kind | null
  /** What the moderator wrote before all memberships were checked. */
  readonly drafted?: DraftedReport
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
  /** By seat: what the texts of an imported transcript say about changes of mind, if a moderator read them. */
  readonly changes?: Readonly<Record<string, CheckedChange | ModelError>>
  /** How long the moderator's calls took, in milliseconds. */
  readonly moderatorTimes: readonly number[]
  /** A view of the session, never its state: labels count as if they were checked. */
  readonly asLabelled?: true
  /** A view of the session, never its state: its report is being written, which a log can't say. */
  readonly asReporting?: true
  /** What the moderator's calls used; the seats' use stands with their rounds. */
  readonly moderatorUsage: readonly Usage[]
  /** By their keys: calls whose beginning is in the log, and whose end isn't. */
  readonly callsBegun?: Readonly<Record<string, CallBegun>>
}

/** Something that the moderator was asked for and that came to nothing. */
export const isFailure = (made: object): made is ModelError =>
  'message' in made && typeof made.message === 'string' && 'kind' in made && typeof made.kind === 'string'

export const checkKey = (seat: string, exemplar: string): string => `${seat} ~ ${exemplar}`

export const seatOf = (session: Session, id: string): Session['seats'][number] => {
  const seat = session.seats.find(candidate => candidate.id === id)
  if (!seat) throw new Error(`No seat ${id} in session ${session.id}.`)
  return seat
}

/**
 * The seat that somebody calls "Seat B", "b", or by its name. A letter means the seat that has it, also if another
 * seat's name is that letter: everybody at the table knows the others by their letters.
 */
export const seatCalled = (session: Session, said: string): Session['seats'][number] | undefined => {
  const called = said
    .trim()
    .replace(/^seat\s+/i, '')
    .toLowerCase()
  const byLetter = session.seats.find(({ alias }) => alias.toLowerCase() === called)
  const named = session.seats.filter(({ name }) => name.toLowerCase() === called)
  return byLetter ?? (named.length === 1 ? named[0] : undefined)
}

/** Rounds are found by their index: an imported session may lack its first one. */
export const roundAt = (session: Session, index: number): Round | undefined =>
  session.roundsSoFar.find(round => round.index === index)

export const latestRound = (session: Session): Round | undefined => session.roundsSoFar.at(-1)

/** The round went on without this seat, and it hasn't handed in anything yet. */
export const isOverdue = ({ handedIn, overdue }: Round, seat: string): boolean =>
  handedIn[seat] === undefined && (overdue?.includes(seat) ?? false)

/** The seats that take part in a round: somebody who joined later wasn't there yet. */
export const seatsIn = ({ seats }: Pick<Session, 'seats'>, index: number): Session['seats'] =>
  seats.some(({ since = 0 }) => since > index) ? seats.filter(({ since = 0 }) => since <= index) : seats

/** Every seat of the round has answered, abstained or fallen silent, or is no longer waited for. */
export const isClosed = (session: Session, round: Round): boolean =>
  seatsIn(session, round.index).every(({ id }) => round.handedIn[id] !== undefined || isOverdue(round, id))

/** Somebody answered, or refused to. A round in which all calls failed takes back nothing that was said before it. */
export const hasWords = ({ handedIn }: Round): boolean =>
  Object.values(handedIn).some(({ status }) => status !== 'silent')

/** The answer that was given from a seat in a round, if one was. */
export const answerIn = (round: Round | undefined, seat: string): Answer | undefined => {
  const handedIn = round?.handedIn[seat]
  return handedIn?.status === 'given' ? handedIn.answer : undefined
}

/** The latest earlier round in which the seat's present model gave an answer. */
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

/**
 * Every call for a seat in a round: for its answer, for those before it was asked again, for its turns as advocate. A fork
 * didn't make the calls that it copied.
 */
export const callsIn = (round: Round, seat: string): SeatCall[] => {
  const own = round.handedIn[seat]
  const earlier = round.before.filter(one => one.seat === seat).map(one => one.handedIn)
  const answers = [...earlier, ...(own ? [own] : [])].filter(({ copied }) => !copied)
  const turns = (round.statements ?? []).filter(statement => statement.seat === seat && !statement.copied)
  return [
    ...answers.map(({ usage, by, status }) => ({ usage, by, failed: status === 'silent' })),
    ...turns.map(({ usage, by, error }) => ({ usage, by, failed: error !== undefined })),
  ]
}

// reopening: What taking back an end does to the state: seats asked again, newcomers, calls that were cut short.

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

/**
 * No model of the table could be reached, so there is nothing to talk about: to ask on would fail in the same way. Undefined
 * if somebody was reached, or may still be.
 */
export const unreachedIn = (session: Session): readonly ModelError[] | undefined => {
  const [round, later] = session.roundsSoFar
  if (!round || later || session.imported || !isClosed(session, round)) return undefined
  const errors = seatsIn(session, round.index).map(({ id }) => {
    const handedIn = round.handedIn[id]
    // A reply that broke off was a reply: something of it was counted.
    return handedIn?.status === 'silent' && !handedIn.usage ? handedIn.error : undefined
  })
  const unreached = errors.filter(error => error !== undefined && wordingOf(error.kind).unreached)
  return unreached.length === errors.length ? (unreached as ModelError[]) : undefined
}

/** The session ended because no model could be reached. */
export const isUnreached = (session: Session): boolean =>
  session.stopped?.reason === 'failed' && unreachedIn(session) !== undefined

/** Calls that were cut short are made after all, and all of them if none reached anybody. */
export const resumedFrom = (session: Session): Session => {
  const last = latestRound(session)?.index
  const all = isUnreached(session)
  const { searchFailed, ...open } = reopened(session)
  return {
    ...open,
    ...(searchFailed && !wasCutShort(searchFailed) && { searchFailed }),
    roundsSoFar: session.roundsSoFar.map(round => {
      const asked =
        round.index === last
          ? unread(round, handedIn => !all && (handedIn.status !== 'silent' || !wasCutShort(handedIn.error)))
          : round
      return withoutFailures(asked, wasCutShort)
    }),
  }
}

// forking: What a fork in the middle of a session does to the state: the copied part is paid for, and the table may change.

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
  const { budget: _budget, patience: _patience, smallModerator: _small, wanted: _wanted, ...rest } = open
  const { callsBegun: _begun, ...kept } = rest
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

// late: Seats that take too long: when a round goes on without them, and what their answers do when they come after all.

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
