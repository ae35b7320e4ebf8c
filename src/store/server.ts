/** The archive on a Postgres server, by its address. Many processes may have it open at once. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool, type PoolClient } from 'pg'
import type { Archive } from './archive/archive.ts'
import type { Database } from './database.ts'
import { migrationsFolder } from './migrations.ts'
import { postgresArchive } from './postgres.ts'

/** Any number, as long as it is always this one: whoever holds it brings the tables up to date. */
const migrationLock = 7_461_903

/** Processes that start together would each create the same tables: they take turns. */
export const inTurn = async (pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await work(client)
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
    client.release()
  } catch (error) {
    // Ends the connection, and with it the lock.
    client.release(true)
    throw error
  }
}

/** The address without its password: what a message may show. */
const shown = (address: string): string => {
  const url = URL.parse(address)
  return url ? `${url.hostname || 'localhost'}${url.port && `:${url.port}`}${url.pathname}` : 'DATABASE_URL'
}

export interface Server {
  readonly archive: Archive
  readonly database: Database
  readonly pool: Pool
}

/** The archive, and the database under it for whoever else lives in it. */
export const openServer = async (address: string): Promise<Server> => {
  const pool = new Pool({ connectionString: address, max: 10 })
  // A connection that breaks while nobody uses it is replaced; unheard, its error would end the process.
  pool.on('error', () => {})
  try {
    await inTurn(pool, client => migrate(drizzle(client), { migrationsFolder }))
  } catch (error) {
    await pool.end()
    const { message, code } = error as Error & { code?: string }
    throw new Error(`The database ${shown(address)} cannot be used: ${message || code}.`, { cause: error })
  }
  const database = drizzle(pool) as unknown as Database
  return { archive: postgresArchive(database, () => pool.end()), database, pool }
}

export const serverArchive = async (address: string): Promise<Archive> => (await openServer(address)).archive
