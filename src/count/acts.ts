/** What a person does to a session: as events in the same log, and when that is allowed. */
import { aliasFor, mostSeats, UsageError } from '../core/basics.ts'
import type { Happening, SessionEvent } from '../core/event.ts'
import { canBeRight, checkKind, type Kind, kindOf } from '../core/form.ts'
import { seatLabel } from '../core/mask.ts'
import type { Seat } from '../core/opening.ts'
import type { Answer } from '../core/question.ts'
import { isClosed, isOverdue, latestRound, type Session, seatCalled, seatOf } from '../core/session.ts'
import { rightCamps } from './moves.ts'

const acts = [
  'seat-retried',
  'seat-replaced',
  'round-added',
  'session-resumed',
  'session-stopped',
  'session-resolved',
  'kind-corrected',
  'seat-overdue',
  'seat-joined',
  'asker-said',
] as const
/** An answer that somebody outside hands in for the seat they hold is one, too. */
export type Interjection =
  | (Happening & { readonly type: (typeof acts)[number] })
  | (Happening & { readonly type: 'answer-given'; readonly outside: true })

/** A runner continues after a person's interjection; any other foreign event means that it was replaced. */
export const isInterjection = (event: SessionEvent): boolean =>
  (acts as readonly string[]).includes(event.type) ||
  (event.type === 'answer-given' && event.outside === true)

/**
 * The round in which a seat that gave no answer may be asked again: the latest one. Not while the moderator
 * reads it: what it makes of the round would be out of date.
 */
const roundWithout = (session: Session, seat: string): number => {
  const { name } = seatOf(session, seat)
  const round = latestRound(session)
  if (!session.outcome && (session.stopped || (round && isClosed(session, round))))
    throw new UsageError('The session is ending: try again when it is over.')
  const handedIn = round?.handedIn[seat]
  if (!round || !handedIn) throw new UsageError(`${name} is already being asked.`)
  if (handedIn.status !== 'given') return round.index
  throw new UsageError(`${name} has already answered in the latest round.`)
}

const seatNamed = (session: Session, seat: string): void => {
  if (session.imported)
    throw new UsageError('An imported session cannot be changed: fork it to ask its question again.')
  if (session.seats.some(({ id }) => id === seat)) return
  const ids = session.seats.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw new UsageError(`There is no seat "${seat}" at this table: it has ${ids}.`)
}

export const retried = (session: Session, seat: string): Interjection => {
  seatNamed(session, seat)
  return { type: 'seat-retried', round: roundWithout(session, seat), seat }
}

/** The newcomer takes the seat, with the same id and alias. */
export const replaced = (
  session: Session,
  seat: string,
  newcomer: Omit<Seat, 'id' | 'alias'>,
): Interjection => {
  seatNamed(session, seat)
  const { id, alias } = seatOf(session, seat)
  const taken = session.seats.some(other => other.id !== id && other.name === newcomer.name)
  const name = taken ? `${newcomer.name} (${alias})` : newcomer.name
  return { type: 'seat-replaced', round: roundWithout(session, seat), seat: { ...newcomer, name, id, alias } }
}

/** The round no longer waits for a seat. Its answer still counts if it comes before the session ends. */
export const wentOnWithout = (session: Session, seat: string): Interjection => {
  seatNamed(session, seat)
  const round = latestRound(session)
  const { name } = seatOf(session, seat)
  if (session.outcome || session.stopped || !round || isClosed(session, round) || isOverdue(round, seat))
    throw new UsageError(`The table isn't waiting for ${name}.`)
  if (round.handedIn[seat]) throw new UsageError(`${name} has already handed in its answer.`)
  if (Object.values(round.handedIn).every(({ status }) => status !== 'given'))
    throw new UsageError('Nobody has answered yet: there is nothing to go on with.')
  return { type: 'seat-overdue', round: round.index, seat, by: 'person' }
}

export const roundAdded = (session: Session, most: number): Interjection => {
  if (session.imported)
    throw new UsageError('An imported session cannot be changed: fork it to ask its question again.')
  if (!session.outcome) throw new UsageError('The session is still running: add a round when it is over.')
  const open = session.roundsSoFar.filter(round => !round.sealed).length
  if (open < most) return { type: 'round-added' }
  throw new UsageError(
    most === 0
      ? `The protocol ${session.protocol} has no open rounds: fork the session with another protocol.`
      : `The protocol ${session.protocol} has at most ${most} open rounds, and this session has had all of them.`,
  )
}

export const resumed = (session: Session): Interjection => {
  if (session.stopped && session.outcome) return { type: 'session-resumed' }
  if (session.stopped) throw new UsageError('The session is still being stopped: try again in a moment.')
  throw new UsageError(
    session.outcome ? 'The session is over: there is nothing to resume.' : 'The session was not stopped.',
  )
}

export const stopped = (session: Session): Interjection => {
  if (session.outcome) throw new UsageError('The session is already over.')
  if (session.stopped) throw new UsageError('The session is already being stopped.')
  return { type: 'session-stopped', reason: 'interrupted', words: 'Somebody stopped the session.' }
}

/** Somebody outside may answer only the round that is under way, once, and in time. */
export const checkOutsideTurn = (session: Session, seat: string, round: number): void => {
  seatNamed(session, seat)
  const { name, outside, since = 0 } = seatOf(session, seat)
  if (!outside) throw new UsageError(`A model holds the seat ${name}: nobody can answer for it.`)
  const latest = latestRound(session)
  if (session.outcome || session.stopped || !latest) throw new UsageError('No answer is wanted now.')
  if (latest.index !== round)
    throw new UsageError(`Round ${round} is over, or has not begun: this is round ${latest.index}.`)
  if (since > round) throw new UsageError(`${name} is asked from round ${since} on.`)
  if (latest.handedIn[seat]) throw new UsageError(`${name} has answered this round, or was too late for it.`)
}

/** The answer of somebody outside. */
export const handedIn = (session: Session, seat: string, round: number, answer: Answer): Interjection => {
  checkOutsideTurn(session, seat, round)
  return { type: 'answer-given', round, seat, answer, outside: true }
}

/** A person says what kind of question it is. */
export const kindCorrected = ({ question }: Session, kind: Kind): Interjection => ({
  type: 'kind-corrected',
  kind: checkKind(kind, question.format),
})

/** The right answer, in words: a value, or the id or the words of a camp; `none` if nobody had it. */
export const resolved = (session: Session, answer: string): Interjection => {
  if (!session.outcome) throw new UsageError('The session is still running: resolve it when it is over.')
  if (kindOf(session) === 'text')
    throw new UsageError('The seats wrote texts, and no text is right or wrong.')
  if (!canBeRight(session))
    throw new UsageError(
      'This question is a matter of taste, so no answer is right. If that is wrong, correct its kind first.',
    )
  return { type: 'session-resolved', ...rightCamps(session, answer) }
}

// actsOfPeople: What people add to a session that runs: somebody takes a new seat, or the asker says a word. When that is allowed.

/** Characters of what the asker may say at once. */
export const longestWord = 10_000

const checkRunning = (session: Session): void => {
  if (session.imported) throw new UsageError('An imported session cannot be changed.')
  if (session.outcome) throw new UsageError('The session is over. Add a round, or ask a new question.')
  if (session.stopped) throw new UsageError('The session is being stopped.')
}

/** One letter of an alphabet that a seat's letter could be taken for, in whatever script. */
const oneLetter = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u

/**
 * The name of a seat that somebody else chose. It gets the seat's own letter behind it if another seat has that name,
 * or if it reads like the letter of a seat: in "Seat B says" nobody could tell which one is meant.
 */
export const seatName = (wish: string, place: number, others: readonly Pick<Seat, 'name'>[]): string => {
  const bare = wish.trim().replace(/^seat\s+/i, '')
  const letters = [...others.keys(), place].map(aliasFor)
  const unclear =
    oneLetter.test(bare) || letters.includes(bare.toUpperCase()) || others.some(({ name }) => name === wish)
  return unclear ? `${wish} (${aliasFor(place)})` : wish
}

/** A person's seat. Answers come as events, so it needs no provider. */
export const personSeat = (
  { name, program = false }: { readonly name: string; readonly program?: boolean | undefined },
  place: number,
  others: readonly Pick<Seat, 'name'>[],
  deadline: number,
): Seat => {
  return {
    id: `s${place + 1}`,
    alias: aliasFor(place),
    name: seatName(name, place, others),
    model: `${program ? 'outside' : 'person'}/${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`,
    outside: true,
    ...(!program && { person: true }),
    deadline,
  }
}

/** `most`: how many open rounds the protocol allows. Not while the moderator reads: the table may not go on. */
export const joined = (session: Session, name: string, deadline: number, most: number): Interjection => {
  checkRunning(session)
  const round = latestRound(session)
  if (!round || isClosed(session, round))
    throw new UsageError('The table is between two rounds. Try again in a moment.')
  if (session.seats.length >= mostSeats) throw new UsageError(`A table has at most ${mostSeats} seats.`)
  const open = session.roundsSoFar.filter(one => !one.sealed).length
  if (open >= most)
    throw new UsageError(
      most === 0
        ? `The protocol ${session.protocol} has no open rounds, so nobody can join later.`
        : `This is the last open round that the protocol ${session.protocol} allows, so nobody can join.`,
    )
  const seat = {
    ...personSeat({ name }, session.seats.length, session.seats, deadline),
    since: round.index + 1,
  }
  return { type: 'seat-joined', seat }
}

/** The id of the seat that somebody means: by its letter, its id or its name. */
export const seatMeant = (session: Session, called: string): string => {
  const id = called.trim().toLowerCase()
  const found = seatCalled(session, called) ?? session.seats.find(one => one.id === id)
  if (found) return found.id
  const known = session.seats
    .map(seat => `${seatLabel(seat).replace(/^Seat /, '')} (${seat.name})`)
    .join(', ')
  throw new UsageError(`There is no seat "${called}" at this table: it has ${known}.`)
}

/** `to`: the letter, id or name of one seat. Absent: all of them. */
export const askerSaid = (session: Session, words: string, to?: string): Interjection => {
  checkRunning(session)
  const trimmed = words.trim()
  if (trimmed === '') throw new UsageError('Say something: the text is empty.')
  if (trimmed.length > longestWord)
    throw new UsageError(`The text is longer than ${longestWord} characters. Shorten it.`)
  if (!latestRound(session)) throw new UsageError('The first round has not begun yet. Try again in a moment.')
  return {
    type: 'asker-said',
    words: trimmed,
    ...(to !== undefined && { to: seatMeant(session, to) }),
  }
}
