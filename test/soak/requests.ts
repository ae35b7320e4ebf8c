/** Random requests made from the OpenAPI document. */
import fc from 'fast-check'
import { type Document, type RandomRequest, randomRequests } from '../server/random-requests.ts'
import type { Client } from './client.ts'
import { pick } from './pick.ts'
import { pause, type Stage, steadily } from './stage.ts'

export interface Requests {
  readonly counts: { sent: number; failed: number }
  readonly done: Promise<void>
}

const batch = 20

/** `known` names what exists: sessions that the soak doesn't check, because random requests change and delete them. */
export const startRequests = async (
  stage: Stage,
  client: Client,
  known: readonly string[],
  perSecond: number,
): Promise<Requests> => {
  const { signal } = stage
  const random = stage.random('requests')
  const counts = { sent: 0, failed: 0 }
  const document = JSON.parse((await client.send('/api/openapi.json'))!.text) as Document
  const operations = randomRequests(document, known)
  let waiting: RandomRequest[] = []

  const next = (): RandomRequest => {
    if (waiting.length === 0)
      waiting = fc.sample(pick(random, operations), { numRuns: batch, seed: Math.floor(random() * 2 ** 31) })
    return waiting.pop()!
  }

  const one = async (): Promise<void> => {
    const { path, method, body, type } = next()
    const since = Date.now()
    const reply = await client.send(path, {
      method,
      ...(body !== undefined && { body, type: type! }),
      unread: path.includes('/events'),
    })
    const what = `${method.toUpperCase()} ${path.slice(0, 300)}`
    if (stage.isFailure(what, since, reply, body)) counts.failed++
    if (reply) counts.sent++
    else await pause(200, signal)
  }
  return { counts, done: steadily(stage, perSecond, 3, one) }
}
