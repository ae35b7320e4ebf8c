import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { archiveContract } from '../../test/contracts/store-archive-contract.ts'
import { finished, opened, stopped, storeContract } from '../../test/contracts/store-contract.ts'
import type { SessionEvent } from '../core/event.ts'
import type { Archive } from './archive.ts'
import { announceSocket, holderOf, lockFolder } from './folder-lock.ts'
import { memoryStore } from './memory.ts'
import { openSocketServer, runOwners, type Shared, type SharedOptions, sharedArchive } from './shared.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roundtable-shared-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A process that uses the folder. `kept` stands for what is in the folder, and outlives whoever has it open. */
const someone = (kept: Archive, more: Partial<SharedOptions> = {}): Shared => {
  const archive = sharedArchive({
    folder,
    patience: 5_000,
    listen: true,
    async open() {
      const unlock = await lockFolder(folder)
      return { ...kept, close: unlock }
    },
    ...more,
  })
  onTestFinished(() => archive.close())
  return archive
}

const throughSocket = async (): Promise<Shared> => {
  const kept = memoryStore()
  await someone(kept).list()
  return someone(kept, { open: () => Promise.reject(new Error('This one never opens it.')) })
}

storeContract('through the socket', async () => ({ store: await throughSocket() }))
archiveContract('through the socket', throughSocket)

test('[T76] a process that comes while another holds the folder uses it through its socket', async () => {
  const kept = memoryStore()
  const [first, second] = [someone(kept), someone(kept)]
  await first.append('a', [opened('a')])
  await second.append('a', [stopped(1)])
  expect(await first.read('a')).toHaveLength(2)
  expect((await holderOf(folder))?.socket).toBeDefined()
})

test('[T77] when the holder ends, one of the others takes the archive over, and nothing is lost', async () => {
  const kept = memoryStore()
  const moves: string[] = []
  const [first, ...others] = [0, 1, 2].map(() => someone(kept, { moved: words => moves.push(words) }))
  await first!.append('a', [opened('a')])
  await Promise.all(others.map(other => other.read('a')))
  await first!.close()
  const reads = await Promise.all([...others, ...others].map(other => other.read('a')))
  expect(reads.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  expect(moves.toSorted()).toEqual([
    'The process that held the archive is gone. Another process has taken over.',
    'The process that held the archive is gone. This process has taken over.',
  ])
})

test('[T77] an append that the holder stored and could not acknowledge is not stored twice', async () => {
  const kept = memoryStore()
  const unlock = await lockFolder(folder)
  /** Stores what it gets, and dies before it can acknowledge that. */
  const dying = createServer(async (request, response) => {
    if (request.url === '/hello')
      return response.end(JSON.stringify({ token: (await holderOf(folder))?.token }))
    const [[id], [events]] = (await json(request)) as [[string], [SessionEvent[]]]
    await kept.append(id, events)
    await unlock()
    dying.close()
    return request.socket.destroy()
  })
  const socket = join(folder, 'socket')
  await once(dying.listen(socket), 'listening')
  await announceSocket(folder, async () => socket)
  const other = someone(kept)
  await other.append('a', [opened('a')])
  expect(await other.read('a')).toHaveLength(1)
  await expect(other.append('a', [opened('a')])).rejects.toThrow('not at position 0')
  await other.append('a', [finished(1)])
})

test('[T78] one process runs a session: a second owner is refused until the first lets go or dies', async () => {
  const kept = memoryStore()
  const [first, second, third] = [someone(kept), someone(kept), someone(kept)]
  await first.list()
  const early = await second.ownRun('a')
  expect(await third.running()).toEqual(['a'])
  early()
  await expect.poll(() => third.running()).toEqual([])
  const release = await second.ownRun('a')
  await expect(third.ownRun('a')).rejects.toThrow('already running')
  await expect(first.ownRun('a')).rejects.toThrow('already running')
  expect(await third.running()).toEqual(['a'])
  await first.close()
  expect(await second.running()).toEqual(['a'])
  expect(await third.running()).toEqual(['a'])
  release()
  await expect.poll(() => third.running()).toEqual([])
  await (await third.ownRun('a'))()
})

test('[T79] nothing is sent to a stranger at the socket that a lock names', async () => {
  const kept = memoryStore()
  const unlock = await lockFolder(folder)
  onTestFinished(unlock)
  const heard: string[] = []
  const stranger: Archive = { ...kept, append: async id => void heard.push(id) }
  const hello = { token: 'another' }
  const server = await openSocketServer(folder, { archive: stranger, owners: runOwners(), hello })
  onTestFinished(() => server.close())
  await announceSocket(folder, async () => server.path)
  await expect(someone(kept, { patience: 100 }).append('a', [opened('a')])).rejects.toThrow(
    'in use by process',
  )
  expect(heard).toEqual([])
})
