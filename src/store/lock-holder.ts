/** Who holds a lock, and whether that process still lives. */
import { readFile, readlink, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { askAt } from './lock-door.ts'

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
