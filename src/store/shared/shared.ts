/**
 * The archive in a folder, for any number of processes of one person: the first one holds it and opens its door,
 * the others use it through that. When the holder ends or dies, one of those left holds it from then on.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Archive } from '../archive/archive.ts'
import { archiveThrough } from '../archive/through.ts'
import { announceDoor, FolderHeld, type Holder, holderOf } from '../folder-lock.ts'
import { PositionTaken } from '../store.ts'
import type { ServerAddress } from './messages.ts'
import { type RunOwners, runOwnersBeside } from './run-owners.ts'
import { connect, type SocketClient, SocketClosed } from './socket-client.ts'
import type { SocketServer } from './socket-server.ts'

export interface Shared extends Archive {
  /** The server that holds the archive, if one does. Opens nothing to find out. */
  server(): Promise<ServerAddress | undefined>
  /** Sessions that are being run now, by whichever process; undefined where nobody can tell. */
  running(): Promise<readonly string[] | undefined>
  /** Tells others that this process runs the session; refused where another one does. Gives back how to let go. */
  claim(id: string): Promise<() => void>
}

export interface SharedOptions {
  readonly folder: string
  /** Milliseconds to wait for a holder that has no door. */
  readonly patience: number
  /** Opens the archive itself; fails with FolderHeld where somebody has it. */
  open(): Promise<Archive>
  /** Whether to let others in while this process holds the archive: worth it for what takes longer than a moment. */
  readonly door?: boolean
  /** Hears that somebody is waited for. */
  readonly waiting?: (words: string) => void
  /** Hears that the holder went away, and that this process holds the archive now or another one does. */
  readonly moved?: (words: string) => void
}

interface ArchiveConnection extends SocketClient {
  readonly mine: boolean
  close(): Promise<void>
}

/** Where no socket can be made, others wait as they would without a door. */
const doorFor = async (
  folder: string,
  archive: Archive,
  claims: RunOwners,
): Promise<SocketServer | undefined> => {
  const { openSocketServer } = await import('./socket-server.ts')
  let door: SocketServer | undefined
  try {
    await announceDoor(folder, async token => {
      door = await openSocketServer(folder, { archive, claims, hello: { token } })
      return door.path
    })
  } catch {}
  return door
}

const openHere = async (options: SharedOptions, claims: RunOwners): Promise<ArchiveConnection> => {
  const archive = await options.open()
  const door = options.door ? await doorFor(options.folder, archive, claims) : undefined
  return {
    mine: true,
    archive,
    hello: { token: '' },
    running: async () => claims.all(),
    claim: async id => claims.take(id),
    async close() {
      await door?.close()
      await archive.close()
    },
  }
}

const throughDoor = async ({ door, token }: Holder): Promise<ArchiveConnection | undefined> => {
  const remote = door === undefined ? undefined : await connect(door, token)
  return remote && { ...remote, mine: false, close: () => remote.archive.close() }
}

/** Milliseconds of waiting that are not worth a word. */
const quietly = 2_000

/** Through the holder's door where it has one; else the archive itself, as soon as nobody has it. */
const placeFor = async (options: SharedOptions, claims: RunOwners): Promise<ArchiveConnection> => {
  const until = Date.now() + options.patience
  const toldAt = Date.now() + quietly
  let told = false
  for (;;) {
    const holder = await holderOf(options.folder)
    const place = holder && (await throughDoor(holder))
    if (place) return place
    if (!holder || Date.now() >= until) {
      try {
        return await openHere(options, claims)
      } catch (error) {
        if (!(error instanceof FolderHeld) || Date.now() >= until) throw error
      }
    }
    if (holder && !told && Date.now() >= toldAt) {
      told = true
      options.waiting?.(`Waiting for process ${holder.pid}, which has the archive since ${holder.since}.`)
    }
    await sleep(25)
  }
}

/** Whether an append that nobody acknowledged was made before the holder went away. */
const wasAppended = async (
  archive: Archive,
  id: string,
  events: readonly SessionEvent[],
): Promise<boolean> => {
  const stored = await archive.read(id, (events[0]?.position ?? 0) - 1)
  return isDeepStrictEqual(stored.slice(0, events.length), JSON.parse(JSON.stringify(events)))
}

export const sharedArchive = (options: SharedOptions): Shared => {
  const claims = runOwnersBeside()
  /** What this process runs, to be told to every new holder; and how to let go of it at the present one. */
  const claimed = new Map<string, () => void>()
  let current: Promise<ArchiveConnection> | undefined
  const place = (): Promise<ArchiveConnection> => {
    current ??= placeFor(options, claims)
    return current
  }
  const settle = async (): Promise<ArchiveConnection> => {
    const next = await placeFor(options, claims)
    for (const id of claimed.keys()) claimed.set(id, await next.claim(id).catch(() => () => {}))
    const where = next.mine ? 'this one keeps it from here on' : 'another one keeps it now'
    options.moved?.(`The process that kept the archive is gone; ${where}.`)
    return next
  }
  const use = async <T>(call: (place: ArchiveConnection, again: boolean) => Promise<T>): Promise<T> => {
    for (let again = false; ; again = true) {
      const asked = place()
      try {
        return await call(await asked, again)
      } catch (error) {
        if (!(error instanceof SocketClosed)) throw error
        // Of several calls that fail at once, the first one looks for another place.
        if (current === asked) current = settle()
      }
    }
  }
  return {
    ...archiveThrough(
      call => use(({ archive }) => call(archive)),
      async () => {
        const here = await current?.catch(() => undefined)
        current = undefined
        for (const release of claimed.values()) release()
        claimed.clear()
        await here?.close()
      },
    ),
    append: (id, events) =>
      use(async ({ archive }, again) => {
        try {
          await archive.append(id, events)
        } catch (error) {
          const taken = again && PositionTaken.isInstance(error)
          if (!taken || !(await wasAppended(archive, id, events))) throw error
        }
      }),
    async server() {
      const held = current !== undefined || (await holderOf(options.folder))?.door !== undefined
      return held ? (await place()).hello.server : undefined
    },
    running: () => use(here => here.running()),
    async claim(id) {
      claimed.set(id, await use(here => here.claim(id)))
      return () => {
        claimed.get(id)?.()
        claimed.delete(id)
      }
    },
  }
}
