import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
