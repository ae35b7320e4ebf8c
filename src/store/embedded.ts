/** The archive in a folder of the person's own: a Postgres inside this process, which nobody has to install. */
import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { UsageError } from '../core/errors.ts'
import type { Archive } from './archive/archive.ts'
import type { Database } from './database.ts'
import { lockFolder, syncFolder } from './folder-lock.ts'
import { migrationsFolder } from './migrations.ts'
import { postgresArchive } from './postgres.ts'
import { SyncedFolder, startParameters } from './synced-folder.ts'
import { lookAfter } from './upkeep.ts'

/** The major version of Postgres that PGlite is. */
const majorVersion = '18'

const hour = 3_600_000

/** An empty database as the build made it: unpacking it takes a fraction of the time of making one. */
const snapshot = ['./snapshot.tar.gz', '../../dist/store/snapshot.tar.gz']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path))

const start = (files: SyncedFolder, options: { readonly loadDataDir?: Blob } = {}): Promise<PGlite> =>
  PGlite.create({ fs: files, startParams: [...startParameters], ...options })

/** Made beside its place and then moved there: a crash on the way leaves nothing that looks like a database. */
const makeDatabase = async (folder: string, place: string): Promise<void> => {
  const making = join(folder, 'making')
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { mode: 0o700 })
  const made = await start(
    new SyncedFolder(making),
    snapshot ? { loadDataDir: await openAsBlob(snapshot) } : {},
  )
  await made.close()
  await rename(making, place)
  await syncFolder(folder)
}

const checkVersion = async (place: string): Promise<void> => {
  const version = (await readFile(join(place, 'PG_VERSION'), 'utf8')).trim()
  if (version === majorVersion) return
  throw new UsageError(
    `The archive in ${place} was written by Postgres ${version}, and this Roundtable reads ${majorVersion}. ` +
      'Back it up with the Roundtable that wrote it, move the folder away, and restore the backup with this one.',
    'old-archive',
  )
}

export interface EmbeddedOptions {
  /** Milliseconds to wait for another process that has the folder. */
  readonly patience?: number
}

export interface Embedded {
  readonly archive: Archive
  readonly database: Database
  readonly client: PGlite
  readonly files: SyncedFolder
}

/** The archive, and the database under it for whoever else lives in it. */
export const openEmbedded = async (
  folder: string,
  { patience = 0 }: EmbeddedOptions = {},
): Promise<Embedded> => {
  const unlock = await lockFolder(folder, patience)
  try {
    const place = join(folder, 'postgres')
    if (!existsSync(place)) await makeDatabase(folder, place)
    await checkVersion(place)
    const files = new SyncedFolder(place)
    const client = await start(files)
    const driver = drizzle(client)
    await migrate(driver, { migrationsFolder })
    const database = driver as unknown as Database
    const upkeep = setInterval(() => void lookAfter(database).catch(() => {}), hour).unref()
    const close = async (): Promise<void> => {
      clearInterval(upkeep)
      if (!client.closed) {
        // A program that is ending has been promised nothing of this.
        await lookAfter(database).catch(() => {})
        await client.close()
      }
      await unlock()
    }
    return { archive: postgresArchive(database, close), database, client, files }
  } catch (error) {
    await unlock()
    throw error
  }
}

export const embeddedArchive = async (folder: string, options?: EmbeddedOptions): Promise<Archive> =>
  (await openEmbedded(folder, options)).archive
