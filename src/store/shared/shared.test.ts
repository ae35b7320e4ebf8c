import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Archive } from '../archive/archive.ts'
import { archiveContract } from '../archive/contract.ts'
import { finished, opened, stopped, storeContract } from '../contract.ts'
import { announceDoor, holderOf, lockFolder } from '../folder-lock.ts'
import { memoryStore } from '../memory.ts'
import { runOwnersBeside } from './run-owners.ts'
import { type Shared, type SharedOptions, sharedArchive } from './shared.ts'
import { openSocketServer } from './socket-server.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roundtable-shared-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** Somebody who uses the folder; `kept` stands for what is in it, and outlives whoever has it open. */
const someone = (kept: Archive, more: Partial<SharedOptions> = {}): Shared => {
  const archive = sharedArchive({
    folder,
    patience: 5_000,
    door: true,
    async open() {
      const unlock = await lockFolder(folder)
      return { ...kept, close: unlock }
    },
    ...more,
  })
  onTestFinished(() => archive.close())
  return archive
}

const throughDoor = async (): Promise<Shared> => {
  const kept = memoryStore()
  await someone(kept).list()
  return someone(kept, { open: () => Promise.reject(new Error('This one never opens it.')) })
}

storeContract('through the door', async () => ({ store: await throughDoor() }))
archiveContract('through the door', throughDoor)

test('[T76] who comes while the folder is held uses it through the door', async () => {
  const kept = memoryStore()
  const [first, second] = [someone(kept), someone(kept)]
  await first.append('a', [opened('a')])
  await second.append('a', [stopped(1)])
  expect(await first.read('a')).toHaveLength(2)
  expect((await holderOf(folder))?.door).toBeDefined()
})

test('[T77] when the holder ends, one of those left holds the archive, and nothing is lost', async () => {
  const kept = memoryStore()
  const moves: string[] = []
  const [first, ...others] = [0, 1, 2].map(() => someone(kept, { moved: words => moves.push(words) }))
  await first!.append('a', [opened('a')])
  await Promise.all(others.map(other => other.read('a')))
  await first!.close()
  const reads = await Promise.all([...others, ...others].map(other => other.read('a')))
  expect(reads.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  expect(moves.toSorted()).toEqual([
    'The process that kept the archive is gone; another one keeps it now.',
    'The process that kept the archive is gone; this one keeps it from here on.',
  ])
})

test('[T77] an append that the holder made and could not acknowledge is not made twice', async () => {
  const kept = memoryStore()
  const unlock = await lockFolder(folder)
  /** Stores what it is given, and dies before it can say so. */
  const dying = createServer(async (request, response) => {
    if (request.url === '/hello')
      return response.end(JSON.stringify({ token: (await holderOf(folder))?.token }))
    const [id, events] = (await json(request)) as [string, SessionEvent[]]
    await kept.append(id, events)
    await unlock()
    dying.close()
    return request.socket.destroy()
  })
  const door = join(folder, 'door')
  await once(dying.listen(door), 'listening')
  await announceDoor(folder, async () => door)
  const other = someone(kept)
  await other.append('a', [opened('a')])
  expect(await other.read('a')).toHaveLength(1)
  await expect(other.append('a', [opened('a')])).rejects.toThrow('not at position 0')
  await other.append('a', [finished(1)])
})

test('[T78] a session is run by one process: a second claim is refused until the first is let go or dies', async () => {
  const kept = memoryStore()
  const [first, second, third] = [someone(kept), someone(kept), someone(kept)]
  await first.list()
  const early = await second.claim('a')
  expect(await third.running()).toEqual(['a'])
  early()
  await expect.poll(() => third.running()).toEqual([])
  const release = await second.claim('a')
  await expect(third.claim('a')).rejects.toThrow('already running')
  await expect(first.claim('a')).rejects.toThrow('already running')
  expect(await third.running()).toEqual(['a'])
  await first.close()
  expect(await second.running()).toEqual(['a'])
  expect(await third.running()).toEqual(['a'])
  release()
  await expect.poll(() => third.running()).toEqual([])
  await (await third.claim('a'))()
})

test('[T79] nothing is sent to a stranger at the door that a lock names', async () => {
  const kept = memoryStore()
  const unlock = await lockFolder(folder)
  onTestFinished(unlock)
  const heard: string[] = []
  const stranger: Archive = { ...kept, append: async id => void heard.push(id) }
  const hello = { token: 'another' }
  const door = await openSocketServer(folder, { archive: stranger, claims: runOwnersBeside(), hello })
  onTestFinished(() => door.close())
  await announceDoor(folder, async () => door.path)
  await expect(someone(kept, { patience: 100 }).append('a', [opened('a')])).rejects.toThrow(
    'in use by process',
  )
  expect(heard).toEqual([])
})
