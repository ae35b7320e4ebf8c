/**
 * Places that all processes on one server share, as advisory locks of a connection: when a process dies, its
 * connection does, and its places are free.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type QueryResult, type QueryResultRow } from 'pg'
import { hash, randomFor } from '../core/random.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Logger } from './logger.ts'

export interface SharedSlots extends Slots {
  close(): Promise<void>
}

/** Nobody is told of a free place. Whoever waits looks again after about as long: so processes take turns too. */
const shortest = 10
const longest = 40
const afterError = 1_000

export const sharedSlots = (address: string, logger: Logger): SharedSlots => {
  const random = randomFor(`${process.pid}`)
  const held = new Map<string, Set<number>>()
  let closed = false
  let connecting: Promise<Client> | undefined

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: address, keepAlive: true })
    client.on('error', () => {})
    // The server has let go of all places of a connection that is gone.
    client.once('end', () => {
      connecting = undefined
      held.clear()
    })
    await client.connect()
    return client
  }
  const connection = (): Promise<Client> => {
    connecting ??= connect().catch(error => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /** One after the other, as the connection wants it. */
  let last: Promise<unknown> = Promise.resolve()
  const query = <T extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<T>> => {
    const answer = last.then(async () => (await connection()).query<T>(text, values))
    last = answer.catch(() => {})
    return answer
  }

  const tryOnce = async (name: string, of: number): Promise<number | undefined> => {
    const own = held.get(name) ?? new Set()
    held.set(name, own)
    // A connection gets its own locks a second time, so those are not tried.
    const others = Array.from({ length: of }, (_, slot) => slot).filter(slot => !own.has(slot))
    const { rows } = await query<{ slot: number }>(
      'SELECT slot FROM unnest($2::int[]) AS free(slot) WHERE pg_try_advisory_lock($1, slot) LIMIT 1',
      [hash(name) | 0, others],
    )
    const slot = rows[0]?.slot
    if (slot !== undefined) own.add(slot)
    return slot
  }
  const leave = async (name: string, slot: number): Promise<void> => {
    const own = held.get(name)
    if (!own?.has(slot)) return
    await query('SELECT pg_advisory_unlock($1, $2)', [hash(name) | 0, slot])
    own.delete(slot)
  }
  const lookAgain = (error: unknown): void =>
    logger.warn({ error: String(error) }, 'The limits that processes share could not be read.')

  return {
    async take(name, of) {
      while (!closed) {
        const slot = await tryOnce(name, of).catch(error => {
          lookAgain(error)
          return sleep(afterError, undefined, { ref: false })
        })
        if (slot !== undefined) return () => void leave(name, slot).catch(lookAgain)
        await sleep(shortest + random() * (longest - shortest))
      }
      // Whoever waited has been sent away already.
      return new Promise(() => {})
    },
    async close() {
      closed = true
      await connecting?.then(client => client.end()).catch(() => {})
    },
  }
}
