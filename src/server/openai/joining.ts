/**
 * Clients send a request again if they think that it timed out. It joins the session that the first one opened, so that
 * no table is asked and paid for twice.
 */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { fold } from '../../core/log/state.ts'
import type { AskInput } from '../../table/index.ts'
import { receiptName, receiptSchema } from '../idempotency.ts'
import type { Env, Service } from '../service.ts'
import { openSession } from '../sessions.ts'

const fingerprintOf = (input: AskInput): string =>
  createHash('sha256').update(JSON.stringify(input)).digest('base64url')

/** OpenAI's clients say so. */
const isRetry = (context: Context<Env>): boolean =>
  Number(context.req.header('x-stainless-retry-count') ?? 0) > 0

/** The id of the session: a new one, or one that the same request opened and that still runs. */
export const openOrJoin = async (
  service: Service,
  input: AskInput,
  context: Context<Env>,
): Promise<string> => {
  const { archive } = service.engine
  const fingerprint = fingerprintOf(input)
  const name = receiptName('chat', fingerprint)
  const own = { fingerprint, id: service.newId(), at: service.clock(), reply: null }
  const stored = receiptSchema.parse(await archive.addSetting(name, own))
  let { id } = stored
  const log = id === own.id ? [] : await archive.read(id)
  if (log.length > 0) {
    if (fold(log).outcome === undefined || isRetry(context)) return id
    await archive.saveSetting(name, own)
    id = own.id
  }
  try {
    // The same id if the first request was cut off before it opened its session.
    return await openSession(service, input, id)
  } catch (error) {
    await archive.removeSetting(name)
    throw error
  }
}
