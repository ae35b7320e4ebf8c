/** Two containers on one folder: each counts its processes on its own, and has a name of its own or the same one. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { holderOf, lockFolder } from './folder-lock.ts'

const apart = ['-p', '-f', '-u', '--mount-proc', '--kill-child']
const possible = spawnSync('unshare', [...apart, 'true']).status === 0
const why = possible ? '' : ' (skipped: this user may not make containers here)'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roundtable-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A process in a container of this name that has taken the lock. */
const containerNamed = async (name: string): Promise<ChildProcess> => {
  const source = JSON.stringify(new URL('folder-lock.ts', import.meta.url).href)
  const holding = `import { lockFolder } from ${source}
    await lockFolder(${JSON.stringify(folder)})
    console.log('held')
    setInterval(() => {}, 1_000)`
  const inside = 'hostname "$1" && exec "$2" --input-type=module -e "$3"'
  const command = [...apart, 'sh', '-c', inside, 'sh', name, process.execPath, holding]
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  return child
}

describe.skipIf(!possible)(`containers${why}`, () => {
  test.each([
    ['the same name', hostname()],
    ['another name', 'another-name'],
  ])(
    '[S31] a lock is not taken from a living process in a container of %s',
    async (_, name) => {
      const child = await containerNamed(name)
      await expect(lockFolder(folder)).rejects.toThrow(`on ${name}`)
      expect(await holderOf(folder)).toMatchObject({ host: name })
      child.kill('SIGKILL')
      await once(child, 'exit')
      const unlock = await lockFolder(folder, 5_000)
      expect(await holderOf(folder)).toMatchObject({ pid: process.pid })
      await unlock()
    },
    30_000,
  )

  test('[S31] a container that is killed and made again under another name starts', async () => {
    const child = await containerNamed('first')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await containerNamed('second')
    expect(await holderOf(folder)).toMatchObject({ host: 'second' })
  }, 30_000)
})
