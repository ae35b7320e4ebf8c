/**
 * A lock on a folder that only one process at a time may write to. Its file says who holds it; a holder that died holds
 * nothing. Without it, two processes on one embedded database would silently lose rows.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'

const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  /** Tells a process from a later one with the same id; null if the system doesn't say. */
  born: z.string().nullable(),
  token: z.string(),
  /** The socket through which the holder lets other processes use what is in the folder. */
  socket: z.string().optional(),
})
export type Holder = z.infer<typeof holderSchema>

/** The locks of this process. Its id in a file proves nothing: an earlier process may have had the same id. */
const own = new Set<string>()

/** Which boot, and how long after it the process started. */
const bornAt = async (pid: number): Promise<string | null> => {
  try {
    const [boot, status] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    return `${boot.trim()} ${status.slice(status.lastIndexOf(')')).split(' ')[20]}`
  } catch {
    return null
  }
}

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const isAlive = async (holder: Holder): Promise<boolean> => {
  if (holder.host !== hostname()) return true
  if (holder.pid === process.pid) return own.has(holder.token)
  if (!runs(holder.pid)) return false
  return holder.born === null || holder.born === (await bornAt(holder.pid))
}

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
    const stale = holder ? !(await isAlive(holder)) : holder === null && (await isOlderThan(path, 2_000))
    if (stale) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

/** Another process holds the folder; the message says which. */
export class FolderHeld extends UsageError {}

const lockIn = (folder: string): string => join(folder, 'lock')

const refusal = (folder: string, path: string, holder: Holder | null | undefined): FolderHeld => {
  if (!holder) return new FolderHeld(`${folder} is in use by another process.`)
  const who = `process ${holder.pid} on ${holder.host}, since ${holder.since}`
  const elsewhere = holder.host === hostname() ? '' : ` If that process is gone, remove ${path}.`
  return new FolderHeld(`${folder} is in use by ${who}. Wait until it ends, or stop it.${elsewhere}`)
}

/** Takes the lock and returns the function that releases it; fails with who has it. */
export const lockFolder = async (folder: string, patience = 0): Promise<() => Promise<void>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = lockIn(folder)
  const token = randomUUID()
  const born = await bornAt(process.pid)
  const until = Date.now() + patience
  for (let tries = 0; ; tries++) {
    own.add(token)
    const holder: Holder = {
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      born,
      token,
    }
    if (await create(path, JSON.stringify(holder))) break
    own.delete(token)
    await removeStale(path)
    if (tries > 0 && Date.now() >= until) throw refusal(folder, path, await holderIn(path))
    if (tries > 0) await sleep(50)
  }
  return async () => {
    if (!own.delete(token)) return
    if ((await holderIn(path))?.token === token) await rm(path, { force: true })
  }
}

/** The process that holds the folder and is alive. */
export const holderOf = async (folder: string): Promise<Holder | undefined> => {
  const holder = await holderIn(lockIn(folder))
  return holder && (await isAlive(holder)) ? holder : undefined
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
