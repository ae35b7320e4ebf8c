/**
 * Idempotency-Key: a request that comes again is not carried out again, and gets the reply of the first. What was
 * done is kept in the archive, so that a restart in between does not do it twice.
 */
import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { Archive } from '../store/archive/archive.ts'
import { Refusal } from './problem.ts'
import type { Env, Service } from './service.ts'

const receiptSchema = z.object({
  /** Of the request: the same key with another one is a mistake. */
  fingerprint: z.string(),
  /** The id of a session that the request opens. */
  id: z.string(),
  /** Milliseconds since 1970, of the last try. */
  at: z.number(),
  /** Null while it is carried out, and for good where that ended in a crash. */
  reply: z
    .object({ status: z.int(), body: z.string(), headers: z.record(z.string(), z.string()) })
    .nullable(),
})
type Receipt = z.infer<typeof receiptSchema>

const day = 86_400_000
/** A request that is still without a reply then was cut off by a crash. */
const patience = 30_000
const prefix = 'receipt '
const kept = ['content-type', 'location']

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const checkedKey = (key: string): string => {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new Refusal(400, 'An Idempotency-Key is 1 to 200 visible characters, and different for each request.')
}

const replyFrom = ({ status, body, headers }: NonNullable<Receipt['reply']>): Response =>
  new Response(body === '' ? null : body, { status, headers: { ...headers, 'idempotent-replay': 'true' } })

const replyOf = async (response: Response): Promise<NonNullable<Receipt['reply']>> => ({
  status: response.status,
  body: await response.clone().text(),
  headers: Object.fromEntries(
    kept.flatMap(name => (response.headers.has(name) ? [[name, response.headers.get(name)!]] : [])),
  ),
})

export const idempotent = ({
  engine,
  clock,
  newId,
}: Pick<Service, 'engine' | 'clock' | 'newId'>): MiddlewareHandler<Env> => {
  const { archive } = engine
  const underWay = new Set<string>()
  const since = clock()
  /** Where nobody else has the archive, whatever an earlier process left open is left for good. */
  const isFromThePast = ({ at }: Receipt): boolean =>
    clock() - at > patience || (engine.alone === true && at < since)

  /** The receipt that counts, and whether this request is the one to carry it out. */
  const claim = async (name: string, fingerprint: string): Promise<{ receipt: Receipt; ours: boolean }> => {
    const own: Receipt = { fingerprint, id: newId(), at: clock(), reply: null }
    const standing = receiptSchema.parse(await archive.addSetting(name, own))
    if (standing.fingerprint !== fingerprint)
      throw new Refusal(422, 'This Idempotency-Key was used for another request: choose a new one.')
    const isOwn = standing.id === own.id && standing.at === own.at
    const isCutOff = !standing.reply && !isOwn && !underWay.has(name) && isFromThePast(standing)
    if (isCutOff) {
      // Before anything is waited for: of two that come again at idempotent, one carries it out.
      underWay.add(name)
      await archive.saveSetting(name, { ...standing, at: clock() }).catch(error => {
        underWay.delete(name)
        throw error
      })
    }
    return { receipt: standing, ours: isOwn || isCutOff }
  }

  const settle = async (name: string, receipt: Receipt, response: Response): Promise<void> => {
    // Whoever corrects a mistake may use the key again.
    if (!response.ok) return archive.removeSetting(name)
    await archive.saveSetting(name, { ...receipt, reply: await replyOf(response) })
  }

  const carryOut = async (
    context: Context<Env>,
    next: () => Promise<void>,
    name: string,
    receipt: Receipt,
  ) => {
    underWay.add(name)
    context.set('plannedId', receipt.id)
    try {
      await next()
      await settle(name, receipt, context.res)
    } finally {
      underWay.delete(name)
    }
  }

  return async (context, next) => {
    const { req } = context
    const key = req.header('idempotency-key')
    if (req.method !== 'POST' || key === undefined) return next()
    const name = `${prefix}${hashOf(checkedKey(key))}`
    const fingerprint = hashOf(req.path, await req.text())
    const { receipt, ours } = await claim(name, fingerprint)
    if (receipt.reply) return replyFrom(receipt.reply)
    if (ours) return carryOut(context, next, name, receipt)
    throw new Refusal(409, 'The same request is being carried out: ask again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
}

/** Receipts are kept for a day. */
export const dropReceipts = async (archive: Archive, clock: () => number): Promise<void> => {
  for (const [name, value] of Object.entries(await archive.settings())) {
    const receipt = name.startsWith(prefix) ? receiptSchema.safeParse(value) : undefined
    if (receipt && (!receipt.success || clock() - receipt.data.at > day)) await archive.removeSetting(name)
  }
}
