/**
 * Seats that somebody outside holds, an agent or a person. A session that waits for them is a log with nothing under way:
 * no process, slot or connection is held, and the answer comes as an event. Late means silent.
 */
import { UsageError } from '../core/errors.ts'
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { checkOutsideTurn, handedIn, type Interjection } from '../core/log/interjection.ts'
import { asSeenIn } from '../core/log/late.ts'
import { latestRound, type Session, seatOf, seatsIn } from '../core/log/state.ts'
import { citationsProblem } from '../core/question/own-citations.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { nextOf } from '../protocols/steps.ts'
import { guardedReadPage, pagesOf, type ReadPage, withCitedPages } from './cited-pages.ts'
import { languageOf } from './language.ts'
import { citableIn, readAnswer, words } from './seat.ts'

/** What somebody outside is asked: exactly what a model in the seat would be. */
export interface OutsideTurn {
  readonly seat: string
  readonly round: number
  readonly prompt: Prompt
  /** Milliseconds since 1970. */
  readonly deadline: number
}

export const asksOutside = (session: Session, command: Command): boolean =>
  'seat' in command && seatOf(session, command.seat).outside === true && command.type === 'ask-seat'

/** When a seat's time in the latest round is over, in milliseconds since 1970. Undefined if nobody outside is asked. */
const seatDeadline = (session: Session, seat: string): number | undefined => {
  const round = latestRound(session)
  const askedAt = round?.askedAgain?.[seat] ?? round?.askedAt
  const { outside, deadline = session.outsideDeadline } = seatOf(session, seat)
  if (!outside || session.outcome || askedAt === undefined || deadline === undefined) return undefined
  // Whoever resumes a session gives everybody the whole time again.
  const last = round?.askedAt && round.askedAt > askedAt ? round.askedAt : askedAt
  return Date.parse(last) + deadline * 1_000
}

const waitedFor = (session: Session): string[] => {
  const round = latestRound(session)
  if (!round || session.outcome || session.stopped) return []
  return seatsIn(session, round.index)
    .filter(({ id, outside }) => outside && !round.handedIn[id])
    .map(({ id }) => id)
}

/** When the next seat outside runs out of time. Undefined if nobody is waited for. */
export const outsideDeadlineOf = (session: Session): number | undefined => {
  const all = waitedFor(session).flatMap(seat => seatDeadline(session, seat) ?? [])
  return all.length > 0 ? Math.min(...all) : undefined
}

/** Seats that have run out of time. */
export const lateSeats = (session: Session, now: number): Happening[] => {
  const round = latestRound(session)?.index ?? 0
  return waitedFor(session).flatMap((seat): Happening[] => {
    const deadline = seatDeadline(session, seat)
    if (deadline === undefined || now < deadline) return []
    const seconds = seatOf(session, seat).deadline ?? session.outsideDeadline
    const message = `No answer was handed in within ${seconds} seconds.`
    return [{ type: 'seat-silent', round, seat, error: { kind: 'timeout', message } }]
  })
}

/** Whose turn it is outside. */
export const outsideTurns = (session: Session, protocols?: readonly Protocol[]): OutsideTurn[] => {
  if (waitedFor(session).length === 0) return []
  const protocol = protocolNamed(session.protocol, protocols)
  return nextOf(protocol, session).flatMap(command => {
    if (command.type !== 'ask-seat' || !asksOutside(session, command)) return []
    const { seat, round } = command
    const deadline = seatDeadline(session, seat)
    if (deadline === undefined) return []
    return [{ seat, round, prompt: protocol.prompt(asSeenIn(session, round), seat, round), deadline }]
  })
}

/** Nothing is left to do here before somebody outside answers. */
export const waitsOutside = (session: Session, protocols?: readonly Protocol[]): boolean => {
  if (waitedFor(session).length === 0) return false
  const commands = nextOf(protocolNamed(session.protocol, protocols), session)
  return commands.length > 0 && commands.every(command => asksOutside(session, command))
}

/** Turns of agents. A person's turn is nobody's business but theirs. */
export const agentTurns = (session: Session): OutsideTurn[] =>
  outsideTurns(session).filter(({ seat }) => !seatOf(session, seat).person)

/** The event of an answer from outside. Throws UsageError if it is of the wrong form, late, or not wanted. */
export const answerFromOutside = async (
  session: Session,
  seat: string,
  round: number,
  raw: Record<string, unknown>,
  now: number,
  readPage: ReadPage = guardedReadPage,
): Promise<Interjection> => {
  checkOutsideTurn(session, seat, round)
  const deadline = seatDeadline(session, seat)
  if (deadline !== undefined && now >= deadline)
    throw new UsageError('The time for this answer is over: the seat is silent in this round.')
  const { person } = seatOf(session, seat)
  const wrong = person && citationsProblem(raw.citations, session.citations && citableIn(session))
  if (wrong) throw new UsageError(`The citations can't be looked up: ${wrong}.`)
  const read = readAnswer(raw, asSeenIn(session, round), round, seat)
  if ('problem' in read)
    throw new UsageError(`The answer is not of the form that was asked for: ${read.problem}.`)
  const language = session.language ?? (await languageOf(words(read)))
  const pages = pagesOf(readPage, new AbortController().signal)
  return handedIn(session, seat, round, { ...(await withCitedPages(pages, session, read)), language })
}

/** An advocate's turn is not for somebody outside: they are asked for answers alone. */
export const silentStatement = (command: Command & { type: 'make-statement' }): Happening => {
  const { round, turn, seat } = command
  const message = 'Somebody outside holds this seat, and is asked for answers only.'
  return { type: 'statement-made', round, turn, seat, said: { error: { kind: 'cancelled', message } } }
}
