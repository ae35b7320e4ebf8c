/**
 * A lock on a folder that only one process at a time may write to. Its file says who holds it; a holder that died holds
 * nothing. Without it, two processes on one embedded database would silently lose rows.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../core/errors.ts'
import { openDoor } from './lock-door.ts'
import { type Holder, holderSchema, isAlive, isElsewhere, own, thisProcess } from './lock-holder.ts'

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
