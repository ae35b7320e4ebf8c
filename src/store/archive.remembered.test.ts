import { expect, test, vi } from 'vitest'
import { discussed } from '../../test/contracts/store-archive-contract.ts'
import { remembering, rememberingBriefly } from './archive.ts'
import { memoryStore } from './memory.ts'

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

test('[AC79] somebody’s key has what was written about the person a moment ago', async () => {
  const stored = memoryStore()
  const reads = vi.spyOn(stored, 'ownedRecord')
  const archive = remembering(stored)
  await archive.saveRecord('person', 'ada', 'member')
  await archive.saveRecord('api-key', 'hers', 'read', 'ada')
  for (const _ of 'abc')
    expect(await archive.ownedRecord('api-key', 'hers')).toEqual({ value: 'read', person: 'member' })
  expect(reads).toHaveBeenCalledTimes(1)
  await archive.saveRecord('person', 'ada', 'viewer')
  expect(await archive.ownedRecord('api-key', 'hers')).toEqual({ value: 'read', person: 'viewer' })
  await archive.removeRecord('api-key', 'hers')
  expect(await archive.ownedRecord('api-key', 'hers')).toBeUndefined()
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

test('[AC79] how a session is filed changes at once, also if it is removed and comes back', async () => {
  const archive = remembering(memoryStore())
  const ada = { owner: 'ada', visibility: 'private' } as const
  const bob = { owner: 'bob', visibility: 'private' } as const
  expect(await archive.filing('one')).toBeUndefined()
  await archive.append('one', discussed('one', 'Why?', 'So.', 'Sum.'), ada)
  expect(await archive.filing('one')).toEqual({ ...ada, tags: [] })
  await archive.tag('one', ['mine'])
  await archive.own('one', { ...ada, visibility: 'team' })
  expect(await archive.filing('one')).toEqual({ ...ada, visibility: 'team', tags: ['mine'] })
  await archive.tag('one', ['ours'])
  expect(await archive.filing('one')).toMatchObject({ tags: ['ours'] })
  await archive.remove('one')
  expect(await archive.filing('one')).toBeUndefined()
  await archive.append('one', discussed('one', 'Why?', 'So.', 'Sum.'), bob)
  expect(await archive.filing('one')).toEqual({ ...bob, tags: [] })
})

test('[AC156] what another process writes about people counts a second later, and here at once', async () => {
  vi.useFakeTimers()
  try {
    const stored = memoryStore()
    const [here, elsewhere] = [rememberingBriefly(stored), rememberingBriefly(stored)]
    await here.saveRecord('person', 'ada', 'member')
    await here.saveRecord('api-key', 'hers', 'read', 'ada')
    const known = { value: 'read', person: 'member' }
    for (const archive of [here, elsewhere])
      expect(await archive.ownedRecord('api-key', 'hers')).toEqual(known)
    await here.removeRecord('api-key', 'hers')
    expect(await here.ownedRecord('api-key', 'hers')).toBeUndefined()
    vi.advanceTimersByTime(1_000)
    expect(await elsewhere.ownedRecord('api-key', 'hers')).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('[AC156] if other processes write too, whose a session is and who somebody is are never old', async () => {
  const stored = memoryStore()
  const archive = rememberingBriefly(stored)
  const ada = { owner: 'ada', visibility: 'team' } as const
  await archive.append('one', discussed('one', 'Why?', 'So.', 'Sum.'), ada)
  await stored.saveRecord('person', 'ada', 'member')
  expect(await archive.filing('one')).toMatchObject(ada)
  expect(await archive.record('person', 'ada')).toBe('member')
  await stored.own('one', { ...ada, visibility: 'private' })
  await stored.saveRecord('person', 'ada', 'viewer')
  expect(await archive.filing('one')).toMatchObject({ visibility: 'private' })
  expect(await archive.record('person', 'ada')).toBe('viewer')
})
