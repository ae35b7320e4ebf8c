/**
 * A lock on a folder that only one process at a time may write to. Its file says who holds it; a holder that died holds
 * nothing. Without it, two processes on one embedded database would silently lose rows.
 */

import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readlink, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { UsageError } from '../core/basics.ts'

// lockDoor: A socket beside a lock that exists for as long as its process. Whoever shares the kernel can ask at it whether the
// process lives, also from another container, where process ids mean nothing. It says nothing and takes nothing.

export interface Door {
  /** Its name in the folder. */
  readonly name: string
  /** Removes it. */
  close(): Promise<void>
}

/** The system cuts off longer paths. */
const longestPath = 100

/** Undefined if the folder can't have sockets. */
export const openDoor = (folder: string, token: string): Promise<Door | undefined> => {
  const name = `lock-${token.slice(0, 8)}`
  const path = join(folder, name)
  if (process.platform === 'win32' || Buffer.byteLength(path) > longestPath) return Promise.resolve(undefined)
  return new Promise(resolve => {
    const server = createServer(socket => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(path, () => {
      server.unref()
      resolve({ name, close: () => new Promise(closed => void server.close(() => closed())) })
    })
  })
}

/** `nobody` only if the system says that no process has the socket open any more. */
export const askAt = (path: string): Promise<'somebody' | 'nobody' | 'unknown'> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('somebody')
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'unknown'),
    )
  })

// lockHolder: Who holds a lock, and whether that process still lives.

export const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  /** Tells a process from a later one with the same id; null if the system doesn't say. */
  born: z.string().nullable(),
  /** The start of the system it runs on, and where its id is valid: containers count processes on their own. */
  boot: z.string().nullable().optional(),
  namespace: z.string().nullable().optional(),
  token: z.string(),
  /** The name of its door in the folder. */
  door: z.string().optional(),
  /** The socket through which the holder lets other processes use what is in the folder. */
  socket: z.string().optional(),
})
export type Holder = z.infer<typeof holderSchema>

/** The locks of this process. Its id in a file proves nothing: an earlier process may have had the same id. */
export const own = new Set<string>()

const bootId = (): Promise<string | null> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    text => text.trim(),
    () => null,
  )
const pidNamespace = (): Promise<string | null> => readlink('/proc/self/ns/pid').catch(() => null)

/** Which boot, and how long after it the process started. */
const bornAt = async (pid: number): Promise<string | null> => {
  try {
    const [boot, status] = await Promise.all([bootId(), readFile(`/proc/${pid}/stat`, 'utf8')])
    return `${boot} ${status.slice(status.lastIndexOf(')')).split(' ')[20]}`
  } catch {
    return null
  }
}

export const thisProcess = async (token: string): Promise<Holder> => ({
  pid: process.pid,
  host: hostname(),
  since: new Date().toISOString(),
  born: await bornAt(process.pid),
  boot: await bootId(),
  namespace: await pidNamespace(),
  token,
})

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const runsHere = async (holder: Holder): Promise<boolean> => {
  if (holder.pid === process.pid || !runs(holder.pid)) return false
  return holder.born === null || holder.born === (await bornAt(holder.pid))
}

/** File systems of a disk in this machine: no other machine can have them mounted. ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS. */
const local: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994],
  ...[0x794c7630, 0xf2f52010, 0x2fc12fc1],
])
const isLocal = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    // Types are numbers of 32 bits, and some systems return them with a sign.
    ({ type }) => local.has(type >>> 0),
    () => false,
  )

/** Where the process is: its id counts here, or in another container of this system, or on a system that isn't this one. */
const placeOf = async (holder: Holder): Promise<'here' | 'container' | 'earlier-boot' | 'elsewhere'> => {
  const [boot, namespace] = await Promise.all([bootId(), pidNamespace()])
  const sameHost = holder.host === hostname()
  // Written by an earlier version, or by a system that doesn't say.
  if (boot === null || !holder.boot || !holder.namespace) return sameHost ? 'here' : 'elsewhere'
  if (holder.boot !== boot) return sameHost ? 'earlier-boot' : 'elsewhere'
  return holder.namespace === namespace ? 'here' : 'container'
}

/** A process that can't be judged is alive: two that write at once would lose sessions. */
export const isAlive = async (path: string, holder: Holder): Promise<boolean> => {
  if (own.has(holder.token)) return true
  const folder = dirname(path)
  const door = holder.door === undefined ? 'unknown' : await askAt(join(folder, holder.door))
  if (door === 'somebody') return true
  if (holder.socket !== undefined && (await askAt(holder.socket)) === 'somebody') return true
  const place = await placeOf(holder)
  if (place === 'here') return runsHere(holder)
  if (place === 'container') return door !== 'nobody'
  if (place === 'earlier-boot') return false
  return !holder.boot || !(await isLocal(folder))
}

/** Whether a person has to find out for themselves if the process is gone. */
export const isElsewhere = async (holder: Holder): Promise<boolean> => (await placeOf(holder)) !== 'here'

/** Undefined if there is no lock, null if a crash left it unreadable. */
const holderIn = async (path: string): Promise<Holder | null | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const create = async (path: string, text: string): Promise<boolean> => {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

const isOlderThan = async (path: string, milliseconds: number): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > milliseconds
}

/** Removes a lock whose holder died. One process at a time does this, or one would remove another's new lock. */
const removeStale = async (path: string): Promise<void> => {
  const guard = `${path}.guard`
  if (!(await create(guard, ''))) {
    if (await isOlderThan(guard, 10_000)) await rm(guard, { force: true })
    return
  }
  try {
    const holder = await holderIn(path)
    // An unreadable lock may be one that somebody is writing right now.
    const stale = holder
      ? !(await isAlive(path, holder))
      : holder === null && (await isOlderThan(path, 2_000))
    if (!stale) return
    await rm(path, { force: true })
    if (holder?.door) await rm(join(dirname(path), basename(holder.door)), { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

/** Another process holds the folder; the message says which. */
export class FolderHeld extends UsageError {}

const lockIn = (folder: string): string => join(folder, 'lock')

const refusal = async (folder: string, path: string): Promise<FolderHeld> => {
  const holder = await holderIn(path)
  if (!holder) return new FolderHeld(`${folder} is in use by another process.`)
  const who = `process ${holder.pid} on ${holder.host}, since ${holder.since}`
  const elsewhere = (await isElsewhere(holder)) ? ` If that process is gone, remove ${path}.` : ''
  return new FolderHeld(`${folder} is in use by ${who}. Wait until it ends, or stop it.${elsewhere}`)
}

const takeLock = async (folder: string, holder: Holder, until: number): Promise<void> => {
  const path = lockIn(folder)
  for (let tries = 0; ; tries++) {
    own.add(holder.token)
    const text = JSON.stringify({ ...holder, since: new Date().toISOString() })
    if (await create(path, text)) return
    own.delete(holder.token)
    await removeStale(path)
    if (tries > 0 && Date.now() >= until) throw await refusal(folder, path)
    if (tries > 0) await sleep(50)
  }
}

/** Takes the lock and returns the function that releases it; fails with who has it. */
export const lockFolder = async (folder: string, patience = 0): Promise<() => Promise<void>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = lockIn(folder)
  const token = randomUUID()
  // Before the lock is there: whoever reads the lock may ask at the door at once.
  const door = await openDoor(folder, token)
  const holder: Holder = { ...(await thisProcess(token)), ...(door && { door: door.name }) }
  try {
    await takeLock(folder, holder, Date.now() + patience)
  } catch (error) {
    await door?.close()
    throw error
  }
  return async () => {
    if (!own.delete(token)) return
    if ((await holderIn(path))?.token === token) await rm(path, { force: true })
    await door?.close()
  }
}

/** The process that holds the folder and is alive. */
export const holderOf = async (folder: string): Promise<Holder | undefined> => {
  const path = lockIn(folder)
  const holder = await holderIn(path)
  return holder && (await isAlive(path, holder)) ? holder : undefined
}

/** Writes into this process's lock where others find its socket. */
export const announceSocket = async (
  folder: string,
  openSocket: (token: string) => Promise<string>,
): Promise<void> => {
  const path = lockIn(folder)
  const holder = await holderIn(path)
  if (!holder || !own.has(holder.token)) throw new Error(`${folder} is not held by this process.`)
  const socket = await openSocket(holder.token)
  // Renamed into place, so that nobody reads a lock that is half written and takes it for a damaged one.
  const next = `${path}.next`
  await writeFile(next, JSON.stringify({ ...holder, socket }), { mode: 0o600 })
  await rename(next, path)
}

/** Makes sure that a file name in the folder survives a power cut. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
