/**
 * The archive in a folder, for any number of processes of one person. The first process opens it and listens on a
 * socket, and the others use it through that. When the holder ends or dies, one of the others opens the archive.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from '../archive/archive.ts'
import { archiveThrough } from '../archive/through.ts'
import { announceSocket, FolderHeld, holderOf } from '../folder-lock.ts'
import type { Holder } from '../lock-holder.ts'
import { PositionTaken } from '../store.ts'
import { wasAppended } from '../was-appended.ts'
import type { ServerAddress } from './messages.ts'
import { type RunOwners, runOwners } from './run-owners.ts'
import { connect, type SocketClient, SocketClosed } from './socket-client.ts'
import type { SocketServer } from './socket-server.ts'

export interface Shared extends Archive {
  /** The server that holds the archive, if one does. Opens nothing to find out. */
  server(): Promise<ServerAddress | undefined>
  /** Sessions that any process is running now; undefined if nobody can know. */
  running(): Promise<readonly string[] | undefined>
  /** Tells other processes that this one runs the session, until the returned function is called. Refused if another does. */
  ownRun(id: string): Promise<() => void>
}

export interface SharedOptions {
  readonly folder: string
  /** Milliseconds to wait for a holder without a socket. */
  readonly patience: number
  /** Opens the archive itself; fails with FolderHeld if another process has it. */
  open(): Promise<Archive>
  /** Let other processes in while this one holds the archive: worth it for commands that take longer than a moment. */
  readonly listen?: boolean
  /** Called when another process keeps this one waiting. */
  readonly waiting?: (words: string) => void
  /** Called when the holder went away and this process or another one has taken the archive over. */
  readonly moved?: (words: string) => void
}

interface ArchiveConnection extends SocketClient {
  readonly mine: boolean
  close(): Promise<void>
}

/** If no socket can be made, other processes wait until this one ends. */
const listenFor = async (
  folder: string,
  archive: Archive,
  owners: RunOwners,
): Promise<SocketServer | undefined> => {
  const { openSocketServer } = await import('./socket-server.ts')
  let server: SocketServer | undefined
  try {
    await announceSocket(folder, async token => {
      server = await openSocketServer(folder, { archive, owners, hello: { token } })
      return server.path
    })
  } catch {}
  return server
}

const openHere = async (options: SharedOptions, owners: RunOwners): Promise<ArchiveConnection> => {
  const archive = await options.open()
  const server = options.listen ? await listenFor(options.folder, archive, owners) : undefined
  return {
    mine: true,
    archive,
    hello: { token: '' },
    running: async () => owners.running(),
    ownRun: async id => owners.own(id),
    async close() {
      await server?.close()
      await archive.close()
    },
  }
}

const connectionTo = async ({ socket, token }: Holder): Promise<ArchiveConnection | undefined> => {
  const client = socket === undefined ? undefined : await connect(socket, token)
  return client && { ...client, mine: false, close: () => client.archive.close() }
}

/** Milliseconds to wait before saying so. */
const quietly = 2_000

/** Through the holder's socket if it has one; otherwise the archive itself, as soon as nobody holds it. */
const connectionFor = async (options: SharedOptions, owners: RunOwners): Promise<ArchiveConnection> => {
  const until = Date.now() + options.patience
  const toldAt = Date.now() + quietly
  let told = false
  for (;;) {
    const holder = await holderOf(options.folder)
    const connection = holder && (await connectionTo(holder))
    if (connection) return connection
    if (!holder || Date.now() >= until) {
      try {
        return await openHere(options, owners)
      } catch (error) {
        if (!(error instanceof FolderHeld) || Date.now() >= until) throw error
      }
    }
    if (holder && !told && Date.now() >= toldAt) {
      told = true
      options.waiting?.(
        `Waiting for process ${holder.pid}, which has used the archive since ${holder.since}.`,
      )
    }
    await sleep(25)
  }
}

export const sharedArchive = (options: SharedOptions): Shared => {
  const owners = runOwners()
  /** The runs that this process owns. Every new holder is told of them; the function releases one at the current holder. */
  const ownedRuns = new Map<string, () => void>()
  let current: Promise<ArchiveConnection> | undefined
  const connection = (): Promise<ArchiveConnection> => {
    current ??= connectionFor(options, owners)
    return current
  }
  const reconnect = async (): Promise<ArchiveConnection> => {
    const next = await connectionFor(options, owners)
    for (const id of ownedRuns.keys()) ownedRuns.set(id, await next.ownRun(id).catch(() => () => {}))
    const who = next.mine ? 'This process' : 'Another process'
    options.moved?.(`The process that held the archive is gone. ${who} has taken over.`)
    return next
  }
  const use = async <T>(call: (connection: ArchiveConnection, again: boolean) => Promise<T>): Promise<T> => {
    for (let again = false; ; again = true) {
      const used = connection()
      try {
        return await call(await used, again)
      } catch (error) {
        if (!(error instanceof SocketClosed)) throw error
        // If several calls fail at once, the first one reconnects.
        if (current === used) current = reconnect()
      }
    }
  }
  return {
    ...archiveThrough(
      call => use(({ archive }) => call(archive)),
      async () => {
        const last = await current?.catch(() => undefined)
        current = undefined
        for (const release of ownedRuns.values()) release()
        ownedRuns.clear()
        await last?.close()
      },
    ),
    append: (id, events, ownership) =>
      use(async ({ archive }, again) => {
        try {
          await archive.append(id, events, ownership)
        } catch (error) {
          const taken = again && PositionTaken.isInstance(error)
          if (!taken || !(await wasAppended(archive, id, events))) throw error
        }
      }),
    async server() {
      const isHeld = current !== undefined || (await holderOf(options.folder))?.socket !== undefined
      return isHeld ? (await connection()).hello.server : undefined
    },
    running: () => use(({ running }) => running()),
    async ownRun(id) {
      ownedRuns.set(id, await use(({ ownRun }) => ownRun(id)))
      return () => {
        ownedRuns.get(id)?.()
        ownedRuns.delete(id)
      }
    },
  }
}
