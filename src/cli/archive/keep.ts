/** `ROUNDTABLE_KEEP=90d`: a server removes finished sessions that are older, once an hour. */
import { UsageError } from '../../core/errors.ts'
import type { ServerLog } from '../../server/log.ts'
import type { Archive } from '../../store/archive/archive.ts'

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds; undefined if everything is kept. */
export const keepFrom = (text: string | undefined): number | undefined => {
  const said = text?.trim()
  if (!said || said.toLowerCase() === 'all') return undefined
  const [, count, unit] = /^(\d{1,5}) ?([hdwy])$/i.exec(said) ?? []
  const milliseconds = Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0)
  if (milliseconds > 0) return milliseconds
  throw new UsageError('ROUNDTABLE_KEEP is a time such as 12h, 90d, 8w or 2y, or "all".')
}

/** Removes what is too old, and returns how many sessions that were. One that isn't over is kept. */
export const removeOld = async (
  archive: Pick<Archive, 'find' | 'remove'>,
  keep: number,
  now: number,
): Promise<number> => {
  const before = new Date(now - keep).toISOString()
  let removed = 0
  let cursor: string | undefined
  do {
    const { sessions, next } = await archive.find({ before }, cursor === undefined ? {} : { cursor })
    for (const { id, outcome } of sessions) {
      if (outcome === null) continue
      await archive.remove(id)
      removed += 1
    }
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return removed
}

/** Looks at once and then every hour. Returns how to stop. */
export const startKeeping = (
  archive: Archive,
  keep: number | undefined,
  clock: () => number,
  log: ServerLog,
): (() => Promise<void>) => {
  if (keep === undefined) return async () => undefined
  let underWay: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      const removed = await removeOld(archive, keep, clock())
      if (removed > 0) log.info({ removed }, 'Removed sessions that are older than ROUNDTABLE_KEEP.')
    } catch (error) {
      log.error({ error }, 'Old sessions were not removed.')
    }
  }
  underWay = look()
  const timer = setInterval(() => {
    underWay = underWay.then(look)
  }, hour)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}
