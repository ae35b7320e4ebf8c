/** A session as it stands after an event, and the questions that everybody asks of it. */

import type { ModelError } from '../errors.ts'
import type { Answer } from '../question/answer.ts'
import type { Kind } from '../question/kind.ts'
import type {
  ChangeWord,
  Digest,
  Outcome,
  Relation,
  Report,
  ReportDraft,
  Seat,
  SessionOpened,
  StopReason,
} from './event.ts'
import type { Timing, Usage } from './spent.ts'

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
  /** When the owner of a sealed book opened it. */
  readonly bookOpenedAt?: string
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
