import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finished, opened, stopped } from '../../test/contracts/store-contract.ts'
import type { SessionEvent } from '../core/event.ts'
import { type Embedded, openEmbedded } from './embedded.ts'
import { groupedAppends } from './postgres-log.ts'
import { PositionTaken } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-grouped-'))
let embedded: Embedded
beforeAll(async () => {
  embedded = await openEmbedded(folder)
}, 60_000)
afterAll(async () => {
  await embedded.archive.close()
  rmSync(folder, { recursive: true, force: true })
})

test('[J35] appends of many sessions go to the disk together, each fenced by its own position', async () => {
  const { archive, database, files } = embedded
  const append = groupedAppends(database)
  const ids = Array.from({ length: 50 }, (_, index) => `many-${index}`)
  for (const id of ids) await append(id, [opened(id)])
  const before = files.syncs
  const results = await Promise.allSettled([
    ...ids.map(id => append(id, [stopped(1, `of ${id}`), stopped(2)])),
    append('many-0', [stopped(3, 'the next of the same')]),
    append('many-1', [stopped(7)]),
    append('nobody', [stopped(1)]),
  ])
  // Fewer syncs than sessions: alone, each append would be synced at least once.
  expect(files.syncs - before).toBeLessThan(20)
  const taken = results.slice(51).map(result => result.status === 'rejected' && result.reason)
  expect(results.slice(0, 51).every(result => result.status === 'fulfilled')).toBe(true)
  expect(taken.every(reason => PositionTaken.isInstance(reason))).toBe(true)
  expect(await archive.read('many-0')).toEqual([
    opened('many-0'),
    stopped(1, 'of many-0'),
    stopped(2),
    stopped(3, 'the next of the same'),
  ])
  expect(await archive.read('many-1')).toHaveLength(3)
  await append('many-1', [finished(3)])
  expect((await archive.find({ outcome: 'interrupted' })).sessions.map(one => one.id)).toEqual(['many-1'])
})

test('[J35] sessions that open, grow and end together do not affect each other', async () => {
  const { archive, database, files } = embedded
  const append = groupedAppends(database)
  const ids = Array.from({ length: 20 }, (_, index) => `end-${index}`)
  for (const id of ids) await append(id, [opened(id)])
  const before = files.syncs
  const results = await Promise.allSettled([
    ...ids.map(id => append(id, [stopped(1), finished(2)])),
    append('end-new', [opened('end-new')]),
    append('end-0', [opened('end-0')]),
    append('many-2', [stopped(3)]),
    append('many-3', [finished(9)]),
  ])
  expect(files.syncs - before).toBeLessThan(15)
  const refused = results.filter(result => result.status === 'rejected').map(({ reason }) => reason.session)
  expect(refused).toEqual(['end-0', 'many-3'])
  const { sessions } = await archive.find({ words: 'end-3' })
  expect(sessions.map(({ id, outcome }) => [id, outcome])).toEqual([['end-3', 'interrupted']])
  expect((await archive.find({ words: 'many-3' })).sessions[0]?.outcome).toBeNull()
  expect(await archive.read('many-2')).toHaveLength(4)
})

test("[J36] an append that can't be stored fails alone", async () => {
  const append = groupedAppends(embedded.database)
  for (const id of ['good', 'bad']) await append(id, [opened(id)])
  const unstorable = { ...stopped(1), position: 1, at: 2n } as unknown as SessionEvent
  const results = await Promise.allSettled([append('bad', [unstorable]), append('good', [stopped(1)])])
  expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled'])
  expect(await embedded.archive.read('good')).toEqual([opened('good'), stopped(1)])
})
