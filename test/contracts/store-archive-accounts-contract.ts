/** What every archive must do for accounts: keep records, and know whose a session is. Called by the archive's contract. */

import { describe, expect, test } from 'vitest'
import type { Archive, Filter } from '../../src/store/archive.ts'
import { backupLines, restoreFrom } from '../../src/store/backup.ts'
import { opened, stopped } from './store-contract.ts'

const idsIn = async (archive: Archive, filter: Filter): Promise<string[]> =>
  (await archive.find(filter)).sessions.map(({ id }) => id).sort()

/** One session of the team, one that ada shares with it, and one of each person alone. */
const shelf = async (archive: Archive): Promise<void> => {
  await archive.append('old', [opened('old')])
  await archive.append('shared', [opened('shared')], { owner: 'ada', visibility: 'team' })
  await archive.append('adas', [opened('adas')], { owner: 'ada', visibility: 'private' })
  await archive.append('bobs', [opened('bobs')], { owner: 'bob', visibility: 'private' })
}

export const accountsContract = (name: string, make: () => Promise<Archive>): void => {
  describe(`${name} archive with accounts`, () => {
    test('[AC1] keeps records by kind and key, whose they are, and lists the last key first', async () => {
      const archive = await make()
      await archive.saveRecord('audit', 'b', { what: 'two' }, 'ada')
      await archive.saveRecord('audit', 'a', { what: 'one' }, 'bob')
      await archive.saveRecord('audit', 'C', { what: 'none' })
      await archive.saveRecord('person', 'a', { name: 'Ada' })
      expect(await archive.record('audit', 'b')).toEqual({ what: 'two' })
      expect(await archive.record('audit', 'z')).toBeUndefined()
      expect((await archive.records('audit')).map(({ key }) => key)).toEqual(['b', 'a', 'C'])
      expect(await archive.records('audit', { owner: 'bob' })).toEqual([
        { key: 'a', owner: 'bob', value: { what: 'one' } },
      ])
      const [next, ...rest] = await archive.records('audit', { before: 'b', limit: 1 })
      expect([next?.key, rest.length]).toEqual(['a', 0])
      await archive.saveRecord('audit', 'b', 'changed')
      expect(await archive.records('audit', { limit: 1 })).toEqual([
        { key: 'b', owner: null, value: 'changed' },
      ])
    })

    test('[AC155] reads a record together with the person whose it is', async () => {
      const archive = await make()
      await archive.saveRecord('person', 'ada', { name: 'Ada' })
      await archive.saveRecord('api-key', 'hers', { label: 'mail' }, 'ada')
      await archive.saveRecord('api-key', 'gone', { label: 'old' }, 'bob')
      await archive.saveRecord('api-key', 'nobody', 1)
      const hers = { value: { label: 'mail' }, person: { name: 'Ada' } }
      expect(await archive.ownedRecord('api-key', 'hers')).toEqual(hers)
      expect(await archive.ownedRecord('api-key', 'gone')).toEqual({ value: { label: 'old' }, person: null })
      expect(await archive.ownedRecord('api-key', 'nobody')).toEqual({ value: 1, person: null })
      expect(await archive.ownedRecord('sign-in', 'hers')).toBeUndefined()
      await archive.saveRecord('person', 'ada', { name: 'Ada L.' })
      expect(await archive.ownedRecord('api-key', 'hers')).toMatchObject({ person: { name: 'Ada L.' } })
    })

    test('[AC1] if many add or remove one record at once, one wins', async () => {
      const archive = await make()
      const added = await Promise.all([1, 2, 3, 4].map(one => archive.addRecord('invitation', 'x', one)))
      expect(new Set(added).size).toBe(1)
      const removed = await Promise.all([1, 2, 3, 4].map(() => archive.removeRecord('invitation', 'x')))
      expect(removed.filter(one => one !== undefined)).toEqual([added[0]])
      expect(await archive.record('invitation', 'x')).toBeUndefined()
    })

    test('[AC2] a private session is its owner’s from its first event on, in lists and in searches', async () => {
      const archive = await make()
      await shelf(archive)
      for (const words of [{}, { words: 'why' }, { words: 'wh' }]) {
        expect(await idsIn(archive, { ...words, viewer: 'ada' })).toEqual(['adas', 'old', 'shared'])
        expect(await idsIn(archive, { ...words, viewer: 'bob' })).toEqual(['bobs', 'old', 'shared'])
        expect(await idsIn(archive, { ...words, viewer: 'eve' })).toEqual(['old', 'shared'])
        expect(await idsIn(archive, words)).toEqual(['adas', 'bobs', 'old', 'shared'])
      }
      expect(await archive.filing('adas')).toEqual({ owner: 'ada', visibility: 'private', tags: [] })
      expect(await archive.filing('old')).toEqual({ owner: null, visibility: 'team', tags: [] })
      expect(await archive.filing('nobody')).toBeUndefined()
      const { sessions } = await archive.find({ viewer: 'ada' })
      expect(sessions.find(({ id }) => id === 'adas')).toMatchObject({ owner: 'ada', visibility: 'private' })
      expect(sessions.find(({ id }) => id === 'old')).not.toHaveProperty('visibility')
    })

    test('[AC2] a session stays its owner’s as it grows, until they share it, and is nobody’s once removed', async () => {
      const archive = await make()
      await shelf(archive)
      await archive.append('adas', [stopped(1)])
      expect(await idsIn(archive, { viewer: 'bob' })).not.toContain('adas')
      await archive.own('adas', { owner: 'ada', visibility: 'team' })
      await archive.own('nobody', { owner: 'ada', visibility: 'team' })
      expect(await idsIn(archive, { viewer: 'bob' })).toContain('adas')
      await archive.remove('adas')
      expect(await archive.filing('adas')).toBeUndefined()
      await archive.append('adas', [opened('adas')])
      expect(await archive.filing('adas')).toEqual({ owner: null, visibility: 'team', tags: [] })
    })

    test('[AC96] it counts the sessions that each person opened on each day', async () => {
      const archive = await make()
      await shelf(archive)
      const day = (await archive.list()).find(({ id }) => id === 'adas')!.openedAt.slice(0, 10)
      const counts = (await archive.asked(day, day)).map(one => `${one.owner} ${one.day} ${one.sessions}`)
      expect(counts.sort()).toEqual([`ada ${day} 2`, `bob ${day} 1`])
      expect(await archive.asked('1999-01-01', '1999-12-31')).toEqual([])
    })

    test('[AC3] a backup has people and whose sessions are, but no sign-in', async () => {
      const archive = await make()
      await shelf(archive)
      await archive.saveRecord('person', 'ada', { name: 'Ada' })
      await archive.saveRecord('api-key', 'k', { scope: 'read' }, 'ada')
      await archive.saveRecord('sign-in', 's', {}, 'ada')
      const lines = await Array.fromAsync(backupLines(archive))
      const other = await make()
      for (const { id } of await other.list()) await other.remove(id)
      for (const kind of ['person', 'api-key', 'sign-in'] as const)
        for (const { key } of await other.records(kind)) await other.removeRecord(kind, key)
      expect(await restoreFrom(lines, other)).toEqual({ sessions: 4, leftOut: [] })
      expect(await idsIn(other, { viewer: 'bob' })).toEqual(['bobs', 'old', 'shared'])
      expect(await other.filing('shared')).toEqual({ owner: 'ada', visibility: 'team', tags: [] })
      expect(await other.record('person', 'ada')).toEqual({ name: 'Ada' })
      expect(await other.records('api-key', { owner: 'ada' })).toHaveLength(1)
      expect(await other.records('sign-in')).toEqual([])
      for (const id of ['old', 'shared', 'adas', 'bobs']) await other.remove(id)
      await expect(restoreFrom(lines, other)).rejects.toThrow('there is already a person ada')
    })

    test('[AC148] what was spent goes along in a backup, and a restore never lowers what was counted', async () => {
      const archive = await make()
      const day = (number: number): string => `2026-10-0${number}`
      const spent = (payer: string, number: number, usd: number, tokens: number, calls: number) => ({
        ...{ payer, day: day(number), usd, tokens, calls },
      })
      const days = [spent('ada', 1, 0.1, 100, 2), spent('team', 1, 0.3, 300, 3), spent('ada', 2, 1e-9, 1, 1)]
      await archive.countSpending(days)
      expect(await archive.spending(day(1), day(1))).toEqual(days.slice(0, 2))
      expect(await archive.ledger()).toEqual(days)
      const lines = await Array.fromAsync(backupLines(archive))
      await expect(restoreFrom(lines, archive)).rejects.toThrow('Nothing was restored')
      const planted = lines.map(line =>
        line.replace('"tokens":100', '"tokens":0').replace('"usd":0.3', '"usd":0'),
      )
      expect(planted).not.toEqual(lines)
      await restoreFrom(planted, archive, { overwrite: true })
      expect(await archive.ledger()).toEqual(days)
      await archive.countSpending([spent('ada', 1, 0.2, 50, 4)])
      expect((await archive.ledger())[0]).toEqual(spent('ada', 1, 0.2, 100, 4))
    })
  })
}
