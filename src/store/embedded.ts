/** The archive in a folder on this machine: a Postgres inside this process, which nobody has to install. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { UsageError } from '../core/errors.ts'
import type { Archive } from './archive/archive.ts'
import { takingTurns } from './archive/taking-turns.ts'
import { withinRoom } from './archive/within-room.ts'
import type { Database } from './database.ts'
import { lockFolder, syncFolder } from './folder-lock.ts'
import { migrationsFolder, refuseNewer } from './migrations.ts'
import { postgresArchive } from './postgres.ts'
import { quietQueries } from './quiet-queries.ts'
import { freeIn, type Room, roomIn } from './room.ts'
import { unpackSnapshot } from './snapshot.ts'
import { SyncedFolder, startParameters } from './synced-folder.ts'
import { lookAfter } from './upkeep.ts'

/** The major version of Postgres in PGlite. */
const majorVersion = '18'

const hour = 3_600_000

/** To open or close a database, it must at least be able to write that it was opened or closed. */
const leastToOpen = 32 * 2 ** 20

const start = (files: SyncedFolder): Promise<PGlite> =>
  PGlite.create({ fs: files, startParams: [...startParameters] })

/** Created under another name and then renamed, so that a crash leaves nothing behind that looks like a database. */
const makeDatabase = async (folder: string, path: string): Promise<void> => {
  const making = join(folder, 'making')
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { mode: 0o700 })
  if (!unpackSnapshot(making)) await (await start(new SyncedFolder(making))).close()
  await rename(making, path)
  await syncFolder(folder)
}

const checkVersion = async (path: string): Promise<void> => {
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  if (version === majorVersion) return
  throw new UsageError(
    `The archive in ${path} was written by Postgres ${version}, and this Roundtable reads ${majorVersion}. ` +
      'Back it up with the Roundtable that wrote it, move the folder away, and restore the backup with this one.',
    'old-archive',
  )
}

export interface EmbeddedOptions {
  /** Milliseconds to wait for another process that holds the folder. */
  readonly patience?: number
  /** How many bytes are free in a folder; asks the system by default. */
  readonly free?: typeof freeIn
}

export interface Embedded {
  readonly archive: Archive
  readonly database: Database
  readonly client: PGlite
  readonly files: SyncedFolder
  readonly room: Room
}

/** The archive, and its database, which the queue of runs uses too. */
export const openEmbedded = async (
  folder: string,
  { patience = 0, free = freeIn }: EmbeddedOptions = {},
): Promise<Embedded> => {
  // Before the lock, which has to be written too.
  const roomToOpen = roomIn(folder, free, leastToOpen)
  roomToOpen.check()
  const unlock = await lockFolder(folder, patience)
  try {
    const path = join(folder, 'postgres')
    const room = roomIn(folder, free)
    if (!existsSync(path)) {
      room.check()
      await makeDatabase(folder, path)
    }
    await checkVersion(path)
    const files = new SyncedFolder(path)
    const client = await start(files)
    const driver = drizzle(client)
    await refuseNewer(text => client.query(text))
    await migrate(driver, { migrationsFolder })
    const database = quietQueries(driver as unknown as Database)
    // Optional: a failure must not keep the process from ending.
    const tidy = async (): Promise<void> => {
      if (room.has()) await lookAfter(database).catch(() => {})
    }
    const upkeep = setInterval(() => void tidy(), hour).unref()
    const close = async (): Promise<void> => {
      clearInterval(upkeep)
      if (!client.closed) await tidy()
      // It writes a little. Without any room it is left as after a crash: what is committed is on the disk already.
      if (!client.closed && roomToOpen.has()) await client.close()
      await unlock()
    }
    const archive = takingTurns(withinRoom(postgresArchive(database, close), room))
    return { archive, database, client, files, room }
  } catch (error) {
    await unlock()
    throw error
  }
}

export const embeddedArchive = async (folder: string, options?: EmbeddedOptions): Promise<Archive> =>
  (await openEmbedded(folder, options)).archive
