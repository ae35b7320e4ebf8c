/** The archive in a folder on this machine: a Postgres inside this process, which nobody has to install. */

import { existsSync, fsyncSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { parseTar } from 'nanotar'
import { UsageError } from '../core/basics.ts'
import { type Archive, type ArchiveMethod, archiveFrom, callOn } from './archive.ts'
import { lockFolder, syncFolder } from './folder-lock.ts'
import { lookAfter, postgresArchive, quietQueries } from './postgres.ts'
import { type Database, migrating, migrationsFolder, refuseNewer } from './schema.ts'

// takingTurns: An archive that lets others have a turn. The embedded database never waits for anything outside the process, so a long
// row of calls would keep timers, signals and requests waiting until its end.

/** Milliseconds that calls may follow each other without a turn for others. */
const longest = 50

export const takingTurns = (archive: Archive): Archive => {
  let since = Date.now()
  return archiveFrom(async (method, given) => {
    // A clock that is set back gives a turn too early, and never too late.
    if (Math.abs(Date.now() - since) >= longest) {
      await turn()
      since = Date.now()
    }
    return callOn(archive, method, given)
  }, archive.close)
}

// room: Whether the disk has room for writing. If a write of the embedded database fails because the disk is full, the database
// never returns and the whole process hangs, so nothing is written any more well before that.

const megabyte = 2 ** 20

/**
 * Kept free: the database adds 16 MB to its journal at a time, and writes what many sessions append in one moment before
 * anybody looks again.
 */
export const usualReserve = 128 * megabyte

export interface Room {
  has(): boolean
  /** Throws if there is no room. */
  check(): void
}

/** How many bytes this user may still write; without end if the system doesn't say. */
export const freeIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export const roomIn = (folder: string, free: typeof freeIn = freeIn, reserve = usualReserve): Room => ({
  has: () => free(folder) >= reserve,
  check() {
    const left = free(folder)
    if (left >= reserve) return
    throw new UsageError(
      `The disk is almost full: ${Math.floor(left / megabyte)} MB are left for ${folder}, and ${reserve / megabyte} MB must stay free. ` +
        'Nothing new is saved until there is room; what is saved can be read and deleted.',
      'disk-full',
    )
  },
})

// withinRoom: An archive that saves nothing new while its disk has no room. Reading and removing still work.

const saving: ReadonlySet<ArchiveMethod> = new Set([
  ...(['append', 'keepFiles', 'tag', 'saveLineup', 'saveSetting', 'addSetting'] as const),
  ...(['saveRecord', 'addRecord', 'countSpending'] as const),
])

export const withinRoom = (archive: Archive, room: Room): Archive =>
  archiveFrom(async (method, given) => {
    if (saving.has(method)) room.check()
    return callOn(archive, method, given)
  }, archive.close)

// snapshot: An empty database from the build. Unpacking it is much faster than creating one, or than having PGlite unpack it.

const snapshot = ['./snapshot.tar.gz', '../../dist/store/snapshot.tar.gz']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path))

/** Whether there was a snapshot. Postgres refuses a folder that others may read. */
export const unpackSnapshot = (folder: string): boolean => {
  if (!snapshot) return false
  for (const { name, type, data } of parseTar(gunzipSync(readFileSync(snapshot)))) {
    const path = join(folder, name)
    mkdirSync(type === 'directory' ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (type !== 'directory') writeFileSync(path, data ?? '', { mode: 0o600 })
  }
  return true
}

// syncedFolder: The folder of an embedded database whose commits reach the disk. PGlite starts Postgres with fsync off, and its file
// system ignores the call: a power cut would lose commits that were acknowledged.

/** Tells Postgres that a write failed: it stops, instead of continuing with data that may not be stored. */
const inputOutputError = 29

interface FileSystems {
  readonly filesystems: { readonly NODEFS: { readonly stream_ops: Record<string, unknown> } }
}

export const startParameters: readonly string[] = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

export class SyncedFolder extends NodeFS {
  /** How often a file was synced to the disk. */
  syncs = 0

  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options)
    const hook = ({ FS }: { readonly FS: unknown }): void => {
      ;(FS as FileSystems).filesystems.NODEFS.stream_ops.fsync = ({ nfd }: { readonly nfd: number }) =>
        this.#sync(nfd)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } }
  }

  #sync(descriptor: number): number {
    this.syncs++
    try {
      fsyncSync(descriptor)
      return 0
    } catch {
      return inputOutputError
    }
  }
}

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
    await migrating(() => migrate(driver, { migrationsFolder }))
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
