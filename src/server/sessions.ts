/** What the routes do with sessions: open one, read one, act on one. */

import type { AskBody } from '../api/index.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import { PositionTaken } from '../store/store.ts'
import { misused, Refusal, unknownSession } from './problem.ts'
import type { Service } from './service.ts'
import { wishFrom } from './wish.ts'

export const logOf = async ({ engine }: Service, id: string): Promise<SessionEvent[]> => {
  const log = await engine.archive.read(id)
  if (log.length === 0) throw unknownSession(id)
  return log
}

/** Opened once, however often it is tried with the same planned id. */
export const openSession = async (service: Service, body: AskBody, plannedId?: string): Promise<string> => {
  const first = await service.table
    .open(await wishFrom(body, service), plannedId ?? service.newId())
    .catch((error: unknown) => Promise.reject(misused(422, error)))
  try {
    await service.engine.queue.open(first)
  } catch (error) {
    if (!PositionTaken.isInstance(error) || plannedId === undefined) throw error
  }
  return first.id
}

const mostTries = 8

/** Decides anew where the log went on meanwhile; who decides is told the session as it stands. */
export const act = async (
  service: Service,
  id: string,
  decide: (session: Session) => Happening,
): Promise<SessionEvent> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const session = fold(await logOf(service, id))
    const happening = decided(session, decide)
    try {
      return await service.engine.queue.interject(id, session.position, happening)
    } catch (error) {
      if (!PositionTaken.isInstance(error)) throw error
    }
  }
  throw new Refusal(409, 'The session goes on too fast to step in: try again in a moment.')
}

/** That something cannot be done as the session stands is no mistake in the request. */
const decided = (session: Session, decide: (session: Session) => Happening): Happening => {
  try {
    return decide(session)
  } catch (error) {
    throw misused(409, error)
  }
}
