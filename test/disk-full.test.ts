/** A server whose disk gets full, on a small disk in memory. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startCommand } from './command.ts'
import { startLab } from './lab/server.ts'

const megabyte = 2 ** 20

const mounted = (): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-small-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder]).status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  return undefined
}
const unmount = (folder: string): void => {
  spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
}

const probe = mounted()
if (probe) unmount(probe)
const why = probe ? '' : ' (skipped: this user may not mount a disk here)'

describe.skipIf(!probe)(`a full disk${why}`, () => {
  test('[S32] [J17] [H77] the server refuses new sessions, shows the others, ends when told, and goes on when there is room', async () => {
    const disk = mounted()!
    onTestFinished(() => unmount(disk))
    const held = Promise.withResolvers<void>()
    const lab = await startLab({
      async handler({ body }) {
        if (body.model === 'slow') await held.promise
        return { headline: 'Yes.', choice: 'Yes', reasoning: 'So.', confidence: 0.8, move: 'held' }
      },
    })
    onTestFinished(() => lab.stop())
    const env = { ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`, ROUNDTABLE_DATA: join(disk, 'data') }
    const home = mkdtempSync(join(tmpdir(), 'roundtable-home-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const serve = async () => {
      const command = startCommand(['serve', '--port', '0'], home, env)
      onTestFinished(() => void command.child.kill('SIGKILL'))
      return { command, address: await command.wrote(/Roundtable is at (http:\S+)/) }
    }
    const ask = (address: string, ...seats: string[]): Promise<Response> =>
      fetch(`${address}/api/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ question: 'Is it full?', format: 'choice', options: ['Yes', 'No'], protocol: 'poll' },
          ...{ seats: seats.map(seat => `lab/${seat}`), moderator: null },
        }),
      })
    const outcomes = async (address: string): Promise<unknown[]> => {
      const { sessions } = (await (await fetch(`${address}/api/sessions`)).json()) as {
        sessions: { outcome: unknown }[]
      }
      return sessions.map(({ outcome }) => outcome)
    }
    const fill = (left: number): void => {
      rmSync(join(disk, 'film'), { force: true })
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'film'), Buffer.alloc(Math.max(0, bavail * bsize - left)))
    }

    const { command, address } = await serve()
    expect((await ask(address, 'a', 'b', 'slow')).status).toBe(201)
    await expect.poll(() => lab.calls.filter(({ state }) => state === 'done').length).toBe(2)
    fill(0)
    const refused = await ask(address, 'a', 'b')
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({
      kind: 'disk-full',
      detail: expect.stringContaining('almost full'),
    })
    // An answer that arrives now waits in memory.
    held.resolve()
    await expect.poll(() => lab.calls.every(({ state }) => state === 'done')).toBe(true)
    await new Promise(resolve => setTimeout(resolve, 4_000))
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    expect(await outcomes(address)).toEqual([null])
    rmSync(join(disk, 'film'))
    await expect.poll(() => outcomes(address), { timeout: 20_000 }).toEqual(['verdict'])
    expect(lab.calls).toHaveLength(3)

    fill(0)
    command.child.kill('SIGTERM')
    expect((await command.done).code).toBe(0)
    const tried = await startCommand(['sessions'], home, env).done
    expect(tried).toMatchObject({ code: 1, err: expect.stringContaining('The disk is almost full') })
    // Enough to read, and not to write.
    fill(64 * megabyte)
    expect(await startCommand(['sessions'], home, env).done).toMatchObject({
      code: 0,
      out: expect.stringContaining('Is it full?'),
    })
    const asked = startCommand(
      ['ask', 'And now?', '--seats', 'lab/a,lab/b', '--options', 'Yes,No'],
      home,
      env,
    )
    expect(await asked.done).toMatchObject({
      code: 1,
      err: expect.stringContaining('The disk is almost full'),
    })
    rmSync(join(disk, 'film'))
    const again = await serve()
    expect((await ask(again.address, 'a', 'b')).status).toBe(201)
    await expect.poll(() => outcomes(again.address), { timeout: 20_000 }).toEqual(['verdict', 'verdict'])
  }, 120_000)
})
