/**
 * Idempotency-Key: if a request comes again, it is not carried out again and gets the first reply. Receipts are kept in
 * the archive, so that a restart in between does not carry it out twice.
 */
import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { currentPerson } from '../accounts/visitor.ts'
import type { Archive } from '../store/archive/archive.ts'
import { causeOf } from './failure.ts'
import { isMultipart } from './multipart.ts'
import { Refusal } from './problem.ts'
import type { Env, Service } from './service.ts'

export const receiptSchema = z.object({
  /** A hash of the request: the same key with another request is a mistake. */
  fingerprint: z.string(),
  /** The id of a session that the request opens. */
  id: z.string(),
  /** When it was last tried, in milliseconds since 1970. */
  at: z.number(),
  /** Null while the request is carried out, and forever if a crash ended that. */
  reply: z
    .object({ status: z.int(), body: z.string(), headers: z.record(z.string(), z.string()) })
    .nullable(),
})
type Receipt = z.infer<typeof receiptSchema>

const day = 86_400_000
const hour = 3_600_000
/** Milliseconds after which a request without a reply must have been cut off by a crash. */
const patience = 30_000
const prefix = 'receipt '
const kept = ['content-type', 'location']

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** The setting that holds the receipt, which is each person's own. It is dropped after a day. */
export const receiptName = (...parts: readonly string[]): string => {
  const person = currentPerson()?.person.id
  return `${prefix}${hashOf(...parts, ...(person === undefined ? [] : ['of', person]))}`
}

const checkedKey = (key: string): string => {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new Refusal(
    400,
    'Use 1 to 200 visible ASCII characters as the Idempotency-Key, and a new one for each request.',
  )
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
  log,
}: Pick<Service, 'engine' | 'clock' | 'newId' | 'log'>): MiddlewareHandler<Env> => {
  const { archive } = engine
  let sweptAt = clock()
  /** A server may run for months. Only requests with a key leave receipts, so only they have to clean up. */
  const sweep = (): void => {
    if (Math.abs(clock() - sweptAt) < hour) return
    sweptAt = clock()
    dropReceipts(archive, clock).catch((error: unknown) =>
      log.warn({ error: causeOf(error) }, 'Old receipts could not be removed.'),
    )
  }
  const underWay = new Set<string>()
  const since = clock()
  /** If no other process can use the archive, requests of an earlier process will never be finished. */
  const isAbandoned = ({ at }: Receipt): boolean =>
    clock() - at > patience || (engine.alone === true && at < since)

  /** The stored receipt, and whether this request is the one to carry it out. */
  const receiptFor = async (
    name: string,
    fingerprint: string,
  ): Promise<{ receipt: Receipt; ours: boolean }> => {
    const own: Receipt = { fingerprint, id: newId(), at: clock(), reply: null }
    const stored = receiptSchema.parse(await archive.addSetting(name, own))
    if (stored.fingerprint !== fingerprint)
      throw new Refusal(422, 'This Idempotency-Key was used for another request. Choose a new one.')
    const isOwn = stored.id === own.id && stored.at === own.at
    const isCutOff = !stored.reply && !isOwn && !underWay.has(name) && isAbandoned(stored)
    if (isCutOff) {
      // Before the next await, so that if the request comes twice at once, only one carries it out.
      underWay.add(name)
      await archive.saveSetting(name, { ...stored, at: clock() }).catch(error => {
        underWay.delete(name)
        throw error
      })
    }
    return { receipt: stored, ours: isOwn || isCutOff }
  }

  const settle = async (name: string, receipt: Receipt, response: Response): Promise<void> => {
    // After a refusal, the corrected request may use the same key.
    if (response.ok) await archive.saveSetting(name, { ...receipt, reply: await replyOf(response) })
    else await archive.removeSetting(name)
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
    const name = receiptName(checkedKey(key))
    sweep()
    // As bytes: a text made of a file's bytes could not be read again as the file.
    const body = Buffer.from(await req.arrayBuffer())
    const fingerprint = hashOf(req.path, body.toString(isMultipart(req) ? 'latin1' : 'utf8'))
    const { receipt, ours } = await receiptFor(name, fingerprint)
    if (receipt.reply) return replyFrom(receipt.reply)
    if (ours) return carryOut(context, next, name, receipt)
    throw new Refusal(409, 'The same request is being carried out. Try again in a few seconds.', {
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
