/** The archive on a Postgres server, by its address. Many processes may use it at once. */

import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool, type PoolClient } from 'pg'
import { UsageError } from '../core/basics.ts'
import type { Archive } from './archive.ts'
import { postgresArchive, quietQueries } from './postgres.ts'
import { type Database, migrating, migrationsFolder, refuseNewer } from './schema.ts'

/** An arbitrary number that all versions share: the process that holds this lock migrates the tables. */
const migrationLock = 7_461_903

/** Processes that start together would each create the same tables, so they take turns. */
export const inTurn = async (pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await work(client)
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
    client.release()
  } catch (error) {
    // Closes the connection, which releases the lock.
    client.release(true)
    throw error
  }
}

/** The address without its password, for messages. */
const shown = (address: string): string => {
  const url = URL.parse(address)
  return url ? `${url.hostname || 'localhost'}${url.port && `:${url.port}`}${url.pathname}` : 'DATABASE_URL'
}

/**
 * The driver's own transactions never give a connection back that breaks at their first statement: after ten of those the
 * pool is empty, and everything waits forever.
 */
const onPool = (pool: Pool): Database => {
  const on = (client: Pool | PoolClient): Database => quietQueries(drizzle(client) as unknown as Database)
  const database = on(pool)
  database.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await on(client).transaction(work, config)
    } finally {
      client.release()
    }
  }
  return database
}

export interface Server {
  readonly archive: Archive
  readonly database: Database
  readonly pool: Pool
}

/** The archive, and its database, which the queue of runs uses too. */
export const openServer = async (address: string): Promise<Server> => {
  const pool = new Pool({ connectionString: address, max: 10, keepAlive: true })
  // The pool replaces a connection that breaks. Without a listener, its error would end the process: the pool listens
  // while it is idle, and nobody does while it is in a transaction, where the next statement fails anyway.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    await inTurn(pool, async client => {
      await refuseNewer(text => client.query(text))
      await migrating(() => migrate(drizzle(client), { migrationsFolder }))
    })
  } catch (error) {
    await pool.end()
    if (UsageError.isInstance(error)) throw error
    const { message, code } = error as Error & { code?: string }
    throw new Error(`Can't use the database ${shown(address)}: ${message || code}.`, { cause: error })
  }
  const database = onPool(pool)
  return { archive: postgresArchive(database, () => pool.end()), database, pool }
}

export const serverArchive = async (address: string): Promise<Archive> => (await openServer(address)).archive
