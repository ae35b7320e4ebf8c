/** Commands whose main thread hangs, in processes of their own. */

import { expect, onTestFinished, test } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import type { Command } from '../command.ts'
import { terminals } from '../command-line.ts'
import { holding, labFor, newServer, withoutPostgres } from '../worker/setting.ts'

const stopped = 'Roundtable did nothing for 3 s and was stopped.'
const question = [
  'Is it stuck?',
  '--moderator',
  'none',
  '--seats',
  'lab/a,lab/slow',
  '--options',
  'Yes,No',
  '--protocol',
  'poll',
]

const setting = async (env: Record<string, string> = {}) => {
  const { handler, release } = holding('slow')
  const lab = await labFor({ handler })
  const commands = terminals({
    ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
    ROUNDTABLE_WATCHDOG: '3',
    NODE_OPTIONS: `--import=${new URL('on-signal.ts', import.meta.url).href}`,
    ...env,
  })
  return { lab, release, ...commands }
}

const hang = async ({ child, done }: Command): Promise<void> => {
  child.kill('SIGUSR2')
  // It can't hear this one: only the watchdog can end it.
  child.kill('SIGTERM')
  expect(await done).toMatchObject({ code: null, err: expect.stringContaining(stopped) })
  expect(child.signalCode).toBe('SIGKILL')
}

test('[T117] a server that hangs is stopped with one plain line, and its session goes on at the next start', async () => {
  const { lab, release, start, run } = await setting()
  const first = start(['serve', '--port', '0'])
  await first.wrote(/Roundtable is at/)
  const asked = start(['ask', ...question, '--json'])
  await expect.poll(() => lab.calls.length, { timeout: 20_000 }).toBe(2)
  await hang(first)
  asked.child.kill('SIGKILL')
  release()
  await start(['serve', '--port', '0']).wrote(/Roundtable is at/)
  const outcome = async (): Promise<unknown> =>
    fold(JSON.parse((await run('show', 'last', '--json')).out).events).outcome
  await expect.poll(outcome, { timeout: 30_000, interval: 500 }).toBe('verdict')
}, 90_000)

test('[T117] a command that runs its session itself is stopped too', async () => {
  const { lab, start } = await setting()
  const asked = start(['ask', ...question])
  await expect.poll(() => lab.calls.length, { timeout: 20_000 }).toBe(2)
  await hang(asked)
}, 60_000)

test.skipIf(withoutPostgres !== '')(
  `[T117] so is a worker${withoutPostgres}`,
  async () => {
    const server = (await newServer())!
    onTestFinished(() => server.stop())
    const { start } = await setting({ DATABASE_URL: await server.newDatabase() })
    const worker = start(['worker'])
    await worker.wrote(/Working/)
    await hang(worker)
  },
  90_000,
)

test('[T118] a server that is busy but answers now and then goes on, and nobody watches if the setting is 0', async () => {
  const { start } = await setting()
  const busy = start(['serve', '--port', '0'])
  const address = await busy.wrote(/Roundtable is at (http:\S+)/)
  busy.child.kill('SIGHUP')
  await busy.wrote(/No longer busy/)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  busy.child.kill('SIGTERM')
  expect(await busy.done).toMatchObject({ code: 0 })

  const unwatched = start(['serve', '--port', '0'], { ROUNDTABLE_WATCHDOG: '0' })
  await unwatched.wrote(/Roundtable is at/)
  unwatched.child.kill('SIGUSR2')
  await new Promise(resolve => setTimeout(resolve, 6_000))
  expect(unwatched.child.signalCode).toBe(null)
}, 90_000)
