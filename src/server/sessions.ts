/** What the routes do with sessions: open one, read one, act on one. */

import type { AnswerBody, ForkBody } from '../api/index.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import { answerFromOutside } from '../runtime/outside.ts'
import { PositionTaken } from '../store/store.ts'
import { forkOf } from '../table/fork.ts'
import { type AskInput, forkAt, type Opening, resolveAsk } from '../table/index.ts'
import { fromTemplate, type TemplateRequest } from '../table/templates.ts'
import { misused, Refusal, unknownSession } from './problem.ts'
import { makeLinks } from './seat-links.ts'
import type { Service } from './service.ts'

export const logOf = async ({ engine }: Service, id: string): Promise<SessionEvent[]> => {
  const log = await engine.archive.read(id)
  if (log.length === 0) throw unknownSession(id)
  return log
}

/** A request, resolved: what would be asked of whom, or a refusal. */
export const openingFor = async (
  service: Service,
  request: TemplateRequest,
  id: string,
): Promise<Opening> => {
  const { reach, asker, templates } = service
  try {
    return await resolveAsk(await fromTemplate(request, templates.list), id, reach, asker)
  } catch (error) {
    throw misused(422, error)
  }
}

/** Opens a session. If it is tried again with the same planned id, the session is opened only once. */
export const openSession = async (
  service: Service,
  request: TemplateRequest,
  plannedId?: string,
): Promise<string> =>
  openedWith(service, await openingFor(service, request, plannedId ?? service.newId()), plannedId)

/** A fork of a session from its start, or at the close of a round: what would be asked of whom, or a refusal. */
export const forkOpening = async (
  service: Service,
  from: string,
  { at, ...changes }: ForkBody,
  id: string,
): Promise<Opening> => {
  const { reach, asker } = service
  // What is copied is the log itself, with letters of sealed books that its seats have read.
  const log = await asker.log(from)
  if (log.length === 0) throw unknownSession(from)
  if (at === undefined) return openingFor(service, forkOf(fold(log), changes), id)
  const settle = (input: AskInput) => resolveAsk(input, id, reach, asker)
  return forkAt(log, at, changes, reach, settle).catch(error => {
    throw misused(422, error)
  })
}

export const forkSession = async (
  service: Service,
  from: string,
  body: ForkBody,
  plannedId?: string,
): Promise<string> =>
  openedWith(service, await forkOpening(service, from, body, plannedId ?? service.newId()), plannedId)

const openedWith = async (service: Service, opening: Opening, plannedId?: string): Promise<string> => {
  const first = await opening.first(service.clock)
  if (opening.files.length > 0) await service.engine.archive.keepFiles(first.id, opening.files)
  try {
    await service.engine.queue.open(first, opening.rest?.(service.clock))
  } catch (error) {
    if (!PositionTaken.isInstance(error) || plannedId === undefined) throw error
  }
  await makeLinks(service.engine.archive, first)
  return first.id
}

const mostTries = 8

export type Decide = (session: Session) => Happening | Promise<Happening>

/** Appends what `decide` returns for the current session. If the log has grown meanwhile, it decides again. */
export const act = async (service: Service, id: string, decide: Decide): Promise<SessionEvent> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const session = fold(await logOf(service, id))
    const happening = await decided(session, decide)
    try {
      return await service.engine.queue.interject(id, session.position, happening)
    } catch (error) {
      if (!PositionTaken.isInstance(error)) throw error
    }
  }
  throw new Refusal(409, 'The session is changing too fast. Try again in a moment.')
}

/** If the session is in the wrong state for it, that is a conflict and not a mistake in the request. */
const decided = async (session: Session, decide: Decide): Promise<Happening> => {
  try {
    return await decide(session)
  } catch (error) {
    throw misused(409, error)
  }
}

/** The answer of somebody who holds a seat from outside. */
export const handIn = (
  service: Service,
  id: string,
  seat: string,
  { round, answer }: AnswerBody,
): Promise<SessionEvent> =>
  act(service, id, session => answerFromOutside(session, seat, round, answer, service.clock()))
