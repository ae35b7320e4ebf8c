import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { opened, stopped } from '../../test/contracts/store-contract.ts'
import { embeddedArchive } from './embedded.ts'

test('[S32] without room the embedded archive saves nothing new, reads and removes, and goes on when there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-room-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let megabytes = 0
  const options = { free: () => megabytes * 2 ** 20 }
  await expect(embeddedArchive(folder, options)).rejects.toMatchObject({ kind: 'disk-full' })
  megabytes = 100
  await expect(embeddedArchive(folder, options)).rejects.toThrow('100 MB are left')
  expect(await readdir(folder)).toEqual([])
  megabytes = 1_000
  const archive = await embeddedArchive(folder, options)
  await archive.append('a', [opened('a')])
  await archive.append('b', [opened('b')])
  await archive.saveSetting('theme', 'dark')
  megabytes = 100
  for (const write of [
    () => archive.append('a', [stopped(1)]),
    () => archive.append('c', [opened('c')]),
    () => archive.tag('a', ['x']),
    () => archive.saveSetting('theme', 'light'),
    () => archive.addSetting('other', 1),
    () => archive.saveLineup('panel', []),
  ])
    await expect(write()).rejects.toMatchObject({ kind: 'disk-full' })
  expect(await archive.read('a')).toEqual([opened('a')])
  expect(await archive.settings()).toEqual({ theme: 'dark' })
  await archive.remove('b')
  expect((await archive.find()).sessions.map(({ id }) => id)).toEqual(['a'])
  megabytes = 1_000
  await archive.append('a', [stopped(1)])
  megabytes = 20
  await archive.close()
  // It was not closed in order, for lack of room: nothing is lost.
  megabytes = 50
  const again = await embeddedArchive(folder, options)
  onTestFinished(() => again.close())
  expect(await again.read('a')).toEqual([opened('a'), stopped(1)])
}, 60_000)
