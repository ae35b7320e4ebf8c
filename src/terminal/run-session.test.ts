import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import type { LiveEvent } from '../core/event.ts'
import { documentOf } from '../exports/json.ts'
import { type PreparedSession, runSession } from './run-session.ts'
import type { Shell } from './terminal.ts'

const nothing = { low: 0, high: 0 }

/** A table that goes on after it was told to stop, until it is let go. */
const stubborn = (release: Promise<unknown>, onAbort: () => void): PreparedSession => ({
  estimate: {
    calls: nothing,
    inputTokens: nothing,
    outputTokens: nothing,
    repeatedInput: nothing,
    costUsd: nothing,
    seconds: nothing,
    seatUsd: {},
    notes: [],
  },
  start(signal) {
    signal.addEventListener('abort', onAbort)
    async function* events(): AsyncGenerator<LiveEvent> {
      yield* sampleLog.slice(0, 4)
      await release
    }
    return { events: events(), result: release.then(() => documentOf(sampleLog)) }
  },
})

test('[T23] the first Ctrl-C asks the session to end, the second one leaves at once', async () => {
  const happened: (string | number)[] = []
  const release = Promise.withResolvers<void>()
  let interrupt = (): void => {}
  const stdout = new PassThrough({ encoding: 'utf8' })
  let shown = ''
  stdout.on('data', text => {
    shown += text
  })
  const shell: Shell = {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: {},
    cwd: '/',
    clock: Date.now,
    onInterrupt(listener) {
      interrupt = listener
      return () => happened.push('stopped listening')
    },
    quit: code => happened.push(code),
  }
  const running = runSession(
    stubborn(release.promise, () => happened.push('aborted')),
    {},
    shell,
  )
  await vi.waitUntil(() => shown.includes(' answers: '))
  interrupt()
  expect(happened).toEqual(['aborted'])
  interrupt()
  expect(happened).toEqual(['aborted', 130])
  release.resolve()
  await running
  expect(shown).toContain('Press Ctrl-C again to leave at once')
  expect(happened).toEqual(['aborted', 130, 'stopped listening'])
})
