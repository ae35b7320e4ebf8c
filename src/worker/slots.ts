/**
 * Slots that all processes on one database server share. They are advisory locks of a connection, so that when a process
 * dies, its connection closes and its slots are free.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type QueryResult, type QueryResultRow } from 'pg'
import { hash, randomFor } from '../core/random.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Logger } from './logger.ts'

export interface SharedSlots extends Slots {
  close(): Promise<void>
}

/** Nobody is told of a free slot. Processes that wait look again after a random pause, so that they take turns. */
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
    // The server has released all slots of a closed connection.
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

  /** A connection runs one query at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const query = <T extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<T>> => {
    const answer = last.then(async () => (await connection()).query<T>(text, values))
    last = answer.catch(() => {})
    return answer
  }

  const tryOnce = async (name: string, of: number): Promise<number | undefined> => {
    const own = held.get(name) ?? new Set()
    held.set(name, own)
    // A connection could take its own locks a second time, so those are not tried.
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
  const report = (error: unknown): void =>
    logger.warn({ error: String(error) }, 'The limits shared with other processes could not be checked.')

  return {
    async take(name, of) {
      while (!closed) {
        const slot = await tryOnce(name, of).catch(error => {
          report(error)
          return sleep(afterError, undefined, { ref: false })
        })
        if (slot !== undefined) return () => void leave(name, slot).catch(report)
        await sleep(shortest + random() * (longest - shortest))
      }
      // Its caller has been cancelled already.
      return new Promise(() => {})
    },
    async close() {
      closed = true
      await connecting?.then(client => client.end()).catch(() => {})
    },
  }
}
