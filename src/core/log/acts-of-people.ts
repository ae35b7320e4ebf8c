/** What people add to a session that runs: somebody takes a new seat, or the asker says a word. When that is allowed. */
import { UsageError } from '../errors.ts'
import { seatLabel } from '../wording/mask.ts'
import { aliasFor } from './alias.ts'
import { mostSeats } from './bounds.ts'
import type { Seat } from './event.ts'
import type { Interjection } from './interjection.ts'
import { isClosed, latestRound, type Session } from './state.ts'

/** Characters of what the asker may say at once. */
export const longestWord = 10_000

const checkRunning = (session: Session): void => {
  if (session.imported) throw new UsageError('An imported session cannot be changed.')
  if (session.outcome) throw new UsageError('The session is over. Add a round, or ask a new question.')
  if (session.stopped) throw new UsageError('The session is being stopped.')
}

/** A person's seat. Answers come as events, so it needs no provider. */
export const personSeat = (name: string, place: number, taken: readonly string[], deadline: number): Seat => {
  const alias = aliasFor(place)
  return {
    id: `s${place + 1}`,
    alias,
    name: taken.includes(name) ? `${name} (${alias})` : name,
    model: `person/${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`,
    outside: true,
    person: true,
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
  const names = session.seats.map(seat => seat.name)
  const seat = { ...personSeat(name, session.seats.length, names, deadline), since: round.index + 1 }
  return { type: 'seat-joined', seat }
}

/** The id of the seat that somebody means: by its letter, its id or its name. */
export const seatMeant = ({ seats }: Session, called: string): string => {
  const wanted = called
    .trim()
    .replace(/^seat +/i, '')
    .toLowerCase()
  const found =
    seats.find(({ alias }) => alias.toLowerCase() === wanted) ??
    seats.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
  if (found) return found.id
  const known = seats.map(seat => `${seatLabel(seat).replace(/^Seat /, '')} (${seat.name})`).join(', ')
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
