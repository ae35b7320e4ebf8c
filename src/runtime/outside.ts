/**
 * Seats that somebody outside holds. A session that waits for them is a log with nothing under way: no process, slot or
 * connection is held, and the answer comes as an event. Late means silent.
 */
import { UsageError } from '../core/errors.ts'
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { checkOutsideTurn, handedIn, type Interjection } from '../core/log/interjection.ts'
import { latestRound, type Session, seatOf } from '../core/log/state.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { nextOf } from '../protocols/steps.ts'
import { languageOf } from './language.ts'
import { readAnswer, words } from './seat.ts'

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

/** Milliseconds since 1970. Undefined if nobody outside is asked. */
export const outsideDeadlineOf = (session: Session): number | undefined => {
  const { askedAt } = latestRound(session) ?? {}
  const { outsideDeadline } = session
  if (session.outcome || askedAt === undefined || outsideDeadline === undefined) return undefined
  return Date.parse(askedAt) + outsideDeadline * 1_000
}

const waitedFor = (session: Session): string[] => {
  const round = latestRound(session)
  if (!round || session.outcome || session.stopped) return []
  return session.seats.filter(({ id, outside }) => outside && !round.handedIn[id]).map(({ id }) => id)
}

/** Seats that have run out of time. */
export const lateSeats = (session: Session, now: number): Happening[] => {
  const deadline = outsideDeadlineOf(session)
  if (deadline === undefined || now < deadline) return []
  const round = latestRound(session)!.index
  const message = `No answer was handed in within ${session.outsideDeadline} seconds.`
  return waitedFor(session).map(seat => ({
    type: 'seat-silent',
    round,
    seat,
    error: { kind: 'timeout', message },
  }))
}

/** Whose turn it is outside. */
export const outsideTurns = (session: Session, protocols?: readonly Protocol[]): OutsideTurn[] => {
  const deadline = outsideDeadlineOf(session)
  if (deadline === undefined || waitedFor(session).length === 0) return []
  const protocol = protocolNamed(session.protocol, protocols)
  return nextOf(protocol, session).flatMap(command =>
    command.type === 'ask-seat' && asksOutside(session, command)
      ? [
          {
            seat: command.seat,
            round: command.round,
            prompt: protocol.prompt(session, command.seat, command.round),
            deadline,
          },
        ]
      : [],
  )
}

/** The event of an answer from outside. Throws UsageError if it is of the wrong form, late, or not wanted. */
export const answerFromOutside = async (
  session: Session,
  seat: string,
  round: number,
  raw: Record<string, unknown>,
  now: number,
): Promise<Interjection> => {
  const deadline = outsideDeadlineOf(session)
  if (deadline !== undefined && now >= deadline)
    throw new UsageError('The time for this answer is over: the seat is silent in this round.')
  checkOutsideTurn(session, seat, round)
  const read = readAnswer(raw, session, round, seat)
  if ('problem' in read)
    throw new UsageError(`The answer is not of the form that was asked for: ${read.problem}.`)
  const language = session.language ?? (await languageOf(words(read)))
  return handedIn(session, seat, round, { ...read, language })
}

/** An advocate's turn is not for somebody outside: they are asked for answers alone. */
export const silentStatement = (command: Command & { type: 'make-statement' }): Happening => {
  const { round, turn, seat } = command
  const message = 'Somebody outside holds this seat, and is asked for answers only.'
  return { type: 'statement-made', round, turn, seat, said: { error: { kind: 'cancelled', message } } }
}
