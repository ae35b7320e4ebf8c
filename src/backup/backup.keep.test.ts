import { expect, test, vi } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import type { SessionEvent } from '../core/event.ts'
import { memoryStore } from '../store/memory.ts'
import { keepFrom, removeOld, startKeeping } from './backup.ts'

const day = 86_400_000

test.each([
  ['12h', day / 2],
  ['90d', 90 * day],
  ['8 w', 56 * day],
  ['2y', 730 * day],
  ['all', undefined],
  [undefined, undefined],
])('[T320] ROUNDTABLE_KEEP=%s', (text, milliseconds) => {
  expect(keepFrom(text)).toBe(milliseconds)
})

test.each(['90', 'd', '-1d', '0d', '90 days', '1.5d'])('[T320] ROUNDTABLE_KEEP=%s is refused', text => {
  expect(() => keepFrom(text)).toThrow(/ROUNDTABLE_KEEP is a time such as 12h, 90d, 8w or 2y/)
})

const archiveWith = async (...sessions: readonly { id: string; days: number; over: boolean }[]) => {
  const archive = memoryStore()
  for (const { id, days, over } of sessions) {
    const at = new Date(Date.UTC(2026, 10, 17) - days * day).toISOString()
    const log = sampleLog.map(event => ({ ...event, at, ...('id' in event && { id }) }))
    await archive.append(id, (over ? log : log.slice(0, 2)) as SessionEvent[])
  }
  return archive
}
const now = Date.UTC(2026, 10, 17)
const idsIn = async (archive: ReturnType<typeof memoryStore>) =>
  (await archive.find()).sessions.map(({ id }) => id).sort()

test('[T321] finished sessions that are too old are removed; what is newer or not over stays', async () => {
  const archive = await archiveWith(
    { id: 'old', days: 91, over: true },
    { id: 'older', days: 900, over: true },
    { id: 'waiting', days: 91, over: false },
    { id: 'new', days: 89, over: true },
  )
  expect(await removeOld(archive, 90 * day, now)).toBe(2)
  expect(await idsIn(archive)).toEqual(['new', 'waiting'])
})

test('[T321] a server looks at once, says how many it removed, and goes on if it could not', async () => {
  const archive = await archiveWith({ id: 'old', days: 91, over: true })
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  await startKeeping(archive, 90 * day, () => now, log)()
  expect(await idsIn(archive)).toEqual([])
  expect(log.info).toHaveBeenCalledWith({ removed: 1 }, expect.stringContaining('ROUNDTABLE_KEEP'))
  const broken = { ...archive, find: () => Promise.reject(new Error('away')) }
  await startKeeping(broken, 90 * day, () => now, log)()
  expect(log.error).toHaveBeenCalledOnce()
  await startKeeping(archive, undefined, () => now, log)()
})
