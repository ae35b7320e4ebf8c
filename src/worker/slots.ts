/**
 * Slots that all processes on one database server share. They are advisory locks of a connection, so that when a process
 * dies, its connection closes and its slots are free.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { hash, randomFor } from '../core/random.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Logger } from './logger.ts'
import { oneByOne } from './waiting.ts'

/** With the slots that its connection holds: another set means another connection. */
interface TakenSlot {
  readonly slot: number
  readonly own: Set<number>
}

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
    await client.connect()
    // The server has released all slots of a closed connection. Not earlier: a connection that could not be made ends
    // too, perhaps after the next one was made, whose slots nobody would release any more.
    client.once('end', () => {
      connecting = undefined
      held.clear()
    })
    return client
  }
  const connection = (): Promise<Client> => {
    connecting ??= connect().catch(error => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /** A connection runs one query at a time, and could take a lock of its own a second time: one try after another. */
  const inLine = oneByOne()

  const tryOnce = (name: string, of: number): Promise<TakenSlot | undefined> =>
    inLine(async () => {
      const client = await connection()
      const own = held.get(name) ?? new Set()
      held.set(name, own)
      const others = Array.from({ length: of }, (_, slot) => slot).filter(slot => !own.has(slot))
      const { rows } = await client.query<{ slot: number }>(
        'SELECT slot FROM unnest($2::int[]) AS free(slot) WHERE pg_try_advisory_lock($1, slot) LIMIT 1',
        [hash(name) | 0, others],
      )
      const slot = rows[0]?.slot
      if (slot === undefined) return undefined
      own.add(slot)
      return { slot, own }
    })
  const leave = (name: string, { slot, own }: TakenSlot): Promise<void> =>
    inLine(async () => {
      // A slot of an earlier connection is free already, and somebody else's on this one.
      if (held.get(name) !== own || !own.delete(slot)) return
      await (await connection()).query('SELECT pg_advisory_unlock($1, $2)', [hash(name) | 0, slot])
    })
  const report = (error: unknown): void =>
    logger.warn({ error: String(error) }, 'The limits shared with other processes could not be checked.')

  return {
    async take(name, of) {
      while (!closed) {
        const taken = await tryOnce(name, of).catch(error => {
          report(error)
          return sleep(afterError, undefined, { ref: false })
        })
        if (taken) return () => void leave(name, taken).catch(report)
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
