import { expect, test, vi } from 'vitest'
import { memoryStore } from '../memory.ts'
import { discussed } from './contract.ts'
import { remembering } from './remembered.ts'

test('[AC79] who people are is read once, and what is written counts at once', async () => {
  const stored = memoryStore()
  const reads = vi.spyOn(stored, 'record')
  const archive = remembering(stored)
  await archive.saveRecord('person', 'ada', 'member')
  for (const _ of 'abc') expect(await archive.record('person', 'ada')).toBe('member')
  expect(reads).toHaveBeenCalledTimes(1)
  await archive.saveRecord('person', 'ada', 'viewer')
  expect(await archive.record('person', 'ada')).toBe('viewer')
  await archive.removeRecord('person', 'ada')
  expect(await archive.record('person', 'ada')).toBeUndefined()
  await archive.addRecord('person', 'ada', 'admin')
  expect(await archive.record('person', 'ada')).toBe('admin')
})

test('[AC79] a reader that began before a write does not bring back the old value', async () => {
  const stored = memoryStore()
  await stored.saveRecord('sign-in', 'one', 'here')
  const held = Promise.withResolvers<void>()
  const archive = remembering({
    ...stored,
    async record(kind, key) {
      const value = await stored.record(kind, key)
      await held.promise
      return value
    },
  })
  const reading = archive.record('sign-in', 'one')
  await archive.removeRecord('sign-in', 'one')
  held.resolve()
  expect(await reading).toBe('here')
  expect(await archive.record('sign-in', 'one')).toBeUndefined()
})

test('[AC79] whose a session is changes at once, also if it is removed and comes back', async () => {
  const archive = remembering(memoryStore())
  const ada = { owner: 'ada', visibility: 'private' } as const
  const bob = { owner: 'bob', visibility: 'private' } as const
  expect(await archive.ownership('one')).toBeUndefined()
  await archive.append('one', discussed('one', 'Why?', 'So.', 'Sum.'), ada)
  expect(await archive.ownership('one')).toEqual(ada)
  await archive.own('one', { ...ada, visibility: 'team' })
  expect(await archive.ownership('one')).toEqual({ ...ada, visibility: 'team' })
  await archive.remove('one')
  expect(await archive.ownership('one')).toBeUndefined()
  await archive.append('one', discussed('one', 'Why?', 'So.', 'Sum.'), bob)
  expect(await archive.ownership('one')).toEqual(bob)
})
