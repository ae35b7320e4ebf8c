import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { documentOf } from '../exports/json.ts'
import { leftWords } from '../words/progress.ts'
import { type EarlierSessions, measuredTimes } from './round-view.ts'
import { showSession } from './run-session.ts'
import type { Shell } from './terminal.ts'

const { seats, openedAt } = fold(sampleLog.slice(0, 1))
const models = seats.map(({ model }) => model)

/** An archive with one session, the sample. */
const earlier = (): EarlierSessions => ({
  find: vi.fn(async ({ model } = {}) => ({
    sessions: models.includes(model ?? '') ? [{ id: 'before' }] : [],
    next: null,
  })) as unknown as EarlierSessions['find'],
  read: vi.fn(async id => (id === 'before' ? [...sampleLog] : [])),
})

test('[T156] what models took is looked up in their latest sessions, each read once', async () => {
  const archive = earlier()
  const times = await measuredTimes(archive, [...models, 'lab/unknown'])
  expect(archive.read).toHaveBeenCalledTimes(1)
  expect(Object.keys(times).length).toBeGreaterThan(3)
  expect(models).toEqual(expect.arrayContaining(Object.keys(times)))
  for (const time of Object.values(times)) expect(time).toBeGreaterThan(0)
})

test('[T156] the terminal says how long it may still take by what its models took before', async () => {
  let shown = ''
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 120, rows: 24 })
  stdout.on('data', text => {
    shown += text
  })
  const now = Date.parse(openedAt)
  const archive = earlier()
  const times = await measuredTimes(archive, models)
  const [opened, ...rest] = sampleLog
  const seated = { ...opened, seats: seats.filter(({ model }) => model in times) } as SessionEvent
  const asking = [seated, rest[0]!]
  const measured = leftWords(fold(asking), now, times)
  expect(measured).not.toBe(leftWords(fold(asking), now))
  const shell = { stdout, stderr: stdout, clock: () => now, onInterrupt: () => () => {}, cwd: '/' }
  await showSession(
    {
      earlier: archive,
      start: () => ({
        events: (async function* () {
          yield* asking
          await vi.waitUntil(() => shown.includes(measured))
        })(),
        result: Promise.resolve(documentOf(sampleLog)),
      }),
    },
    {},
    shell as unknown as Shell,
  )
})
