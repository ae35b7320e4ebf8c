import { readFileSync, readlinkSync } from 'node:fs'
import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roundtable-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const heldBy = (holder: object): Promise<void> =>
  writeFile(
    join(folder, 'lock'),
    JSON.stringify({ pid: 1, host: hostname(), since: '2026-01-01', born: null, token: 'x', ...holder }),
  )

test('[S22] one process holds a lock until it releases it', async () => {
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`)
  await unlock()
  await unlock()
  await (await lockFolder(folder))()
})

test('[S22] a process that waits gets the lock when it is released', async () => {
  const unlock = await lockFolder(folder)
  const waiting = lockFolder(folder, 10_000)
  await unlock()
  await (await waiting)()
})

test.each([
  ['that is gone', { pid: 2 ** 22 + 1 }],
  ['whose number another one has by now', { pid: process.ppid, born: 'another boot 1' }],
  ['of which only its number is left, which is ours', { pid: process.pid }],
])('[S26] the lock of a process %s is taken over', async (_, holder) => {
  await heldBy(holder)
  const tries = await Promise.allSettled([lockFolder(folder), lockFolder(folder), lockFolder(folder)])
  expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8')).pid).toBe(process.pid)
})

test('[S26] the lock of a process that lives, or runs on another machine, is not taken over', async () => {
  await heldBy({ pid: process.ppid })
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.ppid}`)
  await heldBy({ host: 'elsewhere' })
  await expect(lockFolder(folder)).rejects.toThrow(/on elsewhere, since 2026-01-01.* remove .*lock/)
})

const onLinux = process.platform === 'linux'
const bootId = onLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : ''
const inContainer = { pid: 2 ** 22 + 1, host: 'container', boot: bootId, namespace: 'pid:[1]' }

const doorAt = async (path: string): Promise<Server> => {
  const server = createServer(socket => socket.destroy())
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(path, resolve))
  return server
}

test.runIf(onLinux)(
  '[S31] in another container, a process lives as long as somebody is at its door',
  async () => {
    const door = await doorAt(join(folder, 'open'))
    await heldBy({ ...inContainer, door: 'open' })
    await expect(lockFolder(folder)).rejects.toThrow(/on container, since .* remove .*lock/)
    // What a process leaves behind that is killed: the name of a socket that nobody has open.
    await link(join(folder, 'open'), join(folder, 'left'))
    await new Promise(resolve => door.close(resolve))
    await heldBy({ ...inContainer, door: 'left' })
    await (await lockFolder(folder))()
    expect(await readdir(folder)).toEqual([])
  },
)

test.runIf(onLinux)(
  '[S31] a process in another container that can not be asked counts as living',
  async () => {
    for (const host of ['container', hostname()])
      for (const door of [undefined, 'removed']) {
        await heldBy({ ...inContainer, host, door })
        await expect(lockFolder(folder)).rejects.toThrow(`on ${host}`)
      }
  },
)

test.runIf(onLinux)(
  '[S31] the lock of an earlier boot is taken over, whatever the name was then',
  async () => {
    await heldBy({ pid: process.ppid, boot: 'earlier', namespace: 'pid:[1]' })
    await (await lockFolder(folder))()
    // In memory: no other machine can have this file system.
    const local = await mkdtemp('/dev/shm/roundtable-lock-').catch(() => undefined)
    if (local === undefined) return
    onTestFinished(() => rm(local, { recursive: true, force: true }))
    folder = local
    await heldBy({ host: 'earlier-name', boot: 'earlier', namespace: 'pid:[1]' })
    await (await lockFolder(folder))()
  },
)

test.runIf(onLinux)(
  '[S31] a changed name of the machine leaves the lock of a process what it was',
  async () => {
    const namespace = readlinkSync('/proc/self/ns/pid')
    await heldBy({ pid: process.ppid, host: 'earlier-name', boot: bootId, namespace })
    await expect(lockFolder(folder)).rejects.toThrow('on earlier-name')
    await heldBy({ pid: 2 ** 22 + 1, host: 'earlier-name', boot: bootId, namespace })
    await (await lockFolder(folder))()
  },
)
