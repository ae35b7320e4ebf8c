/** The database of an engine: embedded in a folder, or on a server that many processes share. */
import type { Pool } from 'pg'
import { fromPglite, type PgBoss } from 'pg-boss'
import type { Archive } from '../store/archive/archive.ts'
import type { Database } from '../store/database.ts'
import type { Room } from '../store/room.ts'

/** A folder on this machine, or the address of a Postgres server. */
export type Where = { readonly folder: string } | { readonly address: string }

type BossOptions = Exclude<ConstructorParameters<typeof PgBoss>[0], string>

export interface EngineDatabase {
  readonly archive: Archive
  readonly database: Database
  /** How the queue reaches the database. */
  readonly boss: BossOptions
  /** Absent if the database doesn't write to a disk of this machine. */
  readonly room?: Room
  /** Absent if no other process can open the database. */
  readonly shared?: { readonly pool: Pool; readonly address: string }
}

export const openEngineDatabase = async (where: Where): Promise<EngineDatabase> => {
  if ('folder' in where) {
    const { openEmbedded } = await import('../store/embedded.ts')
    const { archive, database, client, room } = await openEmbedded(where.folder)
    return { archive, database, room, boss: { db: fromPglite(client), backend: 'pglite' } }
  }
  const { openServer } = await import('../store/server.ts')
  const { archive, database, pool } = await openServer(where.address)
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  return { archive, database, boss: { db: { executeSql } }, shared: { pool, address: where.address } }
}
