import { expect, test } from 'vitest'
import { asked, discussed } from '../../test/contracts/store-archive-contract.ts'
import { stopped } from '../../test/contracts/store-contract.ts'
import type { Archive } from '../store/archive.ts'
import { memoryStore } from '../store/memory.ts'
import { asVisitor, type PersonVisitor } from './permissions.ts'
import type { Role } from './person.ts'
import { scopedArchive } from './scoped.ts'

const visitor = (id: string, role: Role = 'member'): PersonVisitor => ({
  kind: 'person',
  person: { id, name: id, role, since: '' },
  by: { signIn: `sign-in of ${id}` },
})

const file = { sha256: 'cd'.repeat(32), media: 'text/plain', data: 'AAEC' }

/** One private session of Ada's, with a tag and a file. */
const shelf = async (): Promise<{ whole: Archive; scoped: Archive }> => {
  const whole = memoryStore()
  await whole.append('adas', discussed('adas', 'Why?', 'So', 'Sum'), { owner: 'ada', visibility: 'private' })
  await whole.tag('adas', ['mine'])
  await whole.keepFiles('adas', [file])
  return { whole, scoped: scopedArchive(whole) }
}

test('[AC35] another’s private session can neither be read nor changed, by any method, whatever the route forgets', async () => {
  const { whole, scoped } = await shelf()
  const before = JSON.stringify([await whole.read('adas'), await whole.filing('adas'), await whole.find()])
  for (const role of ['admin', 'member', 'viewer'] as const) {
    await asVisitor(visitor('bob', role), async () => {
      expect(await scoped.read('adas')).toEqual([])
      expect(await scoped.read('adas', 2)).toEqual([])
      expect(await scoped.file('adas', file.sha256)).toBeUndefined()
      expect(await scoped.filing('adas')).toBeUndefined()
      expect(await scoped.list()).toEqual([])
      expect((await scoped.find({ viewer: 'ada' })).sessions).toEqual([])
      await scoped.tag('adas', ['taken'])
      await scoped.own('adas', { owner: 'bob', visibility: 'team' })
      await scoped.append('adas', [stopped(5)])
      await scoped.keepFiles('adas', [{ ...file, sha256: 'ef'.repeat(32) }])
      await scoped.remove('adas')
    })
  }
  expect(await whole.file('adas', 'ef'.repeat(32))).toBeUndefined()
  expect(JSON.stringify([await whole.read('adas'), await whole.filing('adas'), await whole.find()])).toBe(
    before,
  )
  await asVisitor(visitor('ada'), async () => expect(await scoped.read('adas')).toHaveLength(5))
})

test('[AC35] if nobody knows who asks, nothing is shown, and records of people are never read this way', async () => {
  const { scoped } = await shelf()
  await expect(scoped.read('adas')).rejects.toThrow('nobody knows by whom')
  await expect(scoped.find()).rejects.toThrow('nobody knows by whom')
  await asVisitor(visitor('bob', 'admin'), async () => {
    await expect(scoped.records('person')).rejects.toThrow('not read through the archive of a request')
    await expect(scoped.record('password', 'ada')).rejects.toThrow('not read through')
  })
})

test('[AC35] a viewer opens and changes nothing, and what a member opens is private', async () => {
  const { whole, scoped } = await shelf()
  await whole.append('old', [asked('old', 'Why?')])
  await asVisitor(visitor('eve', 'viewer'), async () => {
    expect(await scoped.read('old')).toHaveLength(1)
    await expect(scoped.append('new', [asked('new', 'Why?')])).rejects.toMatchObject({ kind: 'not-allowed' })
    await expect(scoped.tag('old', ['x'])).rejects.toMatchObject({ kind: 'not-allowed' })
    await expect(scoped.remove('old')).rejects.toMatchObject({ kind: 'not-allowed' })
  })
  await asVisitor(visitor('bob'), () => scoped.append('new', [asked('new', 'Why?')]))
  expect(await whole.filing('new')).toEqual({ owner: 'bob', visibility: 'private', tags: [] })
})

test('[AC36] a member’s line-ups are their own, and an admin’s the team’s', async () => {
  const { scoped } = await shelf()
  const [ada, bob, admin] = [visitor('ada'), visitor('bob'), visitor('root', 'admin')]
  await asVisitor(admin, () => scoped.saveLineup('duo', ['lab/one']))
  await asVisitor(ada, () => scoped.saveLineup('trio', ['lab/a']))
  await asVisitor(ada, () => scoped.saveLineup('duo', ['lab/mine']))
  expect(await asVisitor(ada, () => scoped.lineups())).toEqual({ duo: ['lab/mine'], trio: ['lab/a'] })
  expect(await asVisitor(bob, () => scoped.lineups())).toEqual({ duo: ['lab/one'] })
  await asVisitor(ada, () => scoped.removeLineup('duo'))
  expect(await asVisitor(ada, () => scoped.lineups())).toEqual({ duo: ['lab/one'], trio: ['lab/a'] })
  await expect(asVisitor(bob, () => scoped.removeLineup('duo'))).rejects.toThrow(
    'a line-up of the team’s. Ask an admin',
  )
})
