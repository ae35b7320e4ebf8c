/** A response by its id, as its session stands now. */

import type { SessionEvent } from '../../core/log/event.ts'
import { stopped } from '../../core/log/interjection.ts'
import { apply, fold, type Session } from '../../core/log/state.ts'
import { usageOf } from '../../core/log/usage.ts'
import { narrated } from '../../core/wording/narration.ts'
import type { Service } from '../service.ts'
import { act } from '../sessions.ts'
import { OpenAIError } from './errors.ts'
import { failedResponse, finishedResponse, headFor, responseObject, sessionIn } from './responses.ts'
import { endOf, tableReplyOf } from './telling.ts'

const unknown = (id: string): OpenAIError =>
  new OpenAIError(`There is no response "${id}".`, { status: 404, code: 'not_found' })

export const logBehind = async ({ engine }: Service, id: string): Promise<SessionEvent[]> => {
  const session = sessionIn(id)
  const log = session === undefined ? [] : await engine.archive.read(session)
  if (log.length === 0) throw unknown(id)
  return log
}

const reasoningOf = (log: readonly SessionEvent[]): string => {
  let session: Session | undefined
  return log
    .flatMap(event => {
      const before = session
      session = apply(before, event)
      return narrated(before, session, event).map(line => `${line}\n`)
    })
    .join('')
}

/** The model's name isn't in the log: any of them gives the same response. */
const model = 'roundtable'

export const storedResponse = async (service: Service, id: string, origin: string) => {
  const log = await logBehind(service, id)
  const session = fold(log)
  const head = headFor(session, { model, input: '', background: true }, Date.parse(session.openedAt))
  if (!session.outcome)
    return responseObject(head, log.length === 1 ? 'queued' : 'in_progress', {
      roundtable: tableReplyOf(session, origin),
    })
  try {
    const told = { ...endOf(session), usage: usageOf(session), table: tableReplyOf(session, origin) }
    const whole = finishedResponse(head, reasoningOf(log), told)
    return session.outcome === 'interrupted' ? { ...whole, status: 'cancelled' } : whole
  } catch (error) {
    return failedResponse(head, error)
  }
}

/** Stops the session. One that is over stays as it is. */
export const cancelResponse = async (service: Service, id: string): Promise<void> => {
  const session = fold(await logBehind(service, id))
  if (!session.outcome && !session.stopped) await act(service, session.id, stopped)
}
