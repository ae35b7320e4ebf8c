/** Several terminals at once on one embedded archive: real processes, a real crash. */

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '../src/core/event.ts'
import { terminals } from './command-line.ts'
import { keepArchive } from './keep-archive.ts'
import { defaultHandler } from './lab/answers.ts'
import { startLab } from './lab/server.ts'

const question = 'Should a small team with one product begin to write its own database?'
const closed = ['--protocol', 'poll', '--options', 'Yes,No', '--moderator', 'none']

/** Models that answer at once, but for those named `slow…`: they wait until they are let go. */
const pausedLab = async () => {
  const answer = defaultHandler()
  const gate = Promise.withResolvers<void>()
  const lab = await startLab({
    async handler(call) {
      if (call.body.model.startsWith('slow')) await gate.promise
      return answer(call)
    },
  })
  onTestFinished(() => lab.stop())
  return {
    lab,
    letGo: () => gate.resolve(),
  }
}

const asking = (seats: string): string[] => ['ask', question, '--seats', seats, ...closed]

test('[T80] [T77] [T81] [T82] two terminals share one archive, and kill -9 of the holder loses nothing', {
  timeout: 240_000,
}, async () => {
  const { lab, letGo } = await pausedLab()
  const { start, run } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })

  const first = start(asking('lab/m0,lab/m1,lab/slow-a'))
  await first.wrote(/m1 answers/)
  expect((await run('sessions')).out).toContain('running')
  expect((await run('show', 'last')).out).toContain(question)
  const exported = JSON.parse((await run('export', 'last', '--format', 'json')).out)
  expect(exported).toMatchObject({ question })
  const killed: string = exported.id
  expect((await run('resume', killed)).err).toContain('is already running')
  const meanwhile = await run(...asking('lab/m0,lab/m1'))
  expect(meanwhile).toMatchObject({ code: 0, err: '' })

  const other = start(asking('lab/m2,lab/m3,lab/slow-b'))
  await other.wrote(/m3 answers/)
  first.child.kill('SIGKILL')
  await first.done
  letGo()
  const { code, out } = await other.done
  expect(code).toBe(0)
  expect(out).toContain('The process that held the archive is gone. This process has taken over.')
  expect(out).toMatch(/slow-b answers/)

  expect((await run('sessions')).out).toContain(`cut off: roundtable resume ${killed}`)
  const before = lab.calls.length
  const resumed = await run('resume', killed, '--events')
  const events: LiveEvent[] = resumed.out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(resumed.code).toBe(0)
  expect(events.at(-1)).toMatchObject({ type: 'session-finished', outcome: 'verdict' })
  expect(lab.calls.slice(before).map(call => call.body.model)).toEqual(['slow-a'])
})

test('[T82] a session that was stopped with Ctrl-C is resumed, and asks only the seats that have not answered', {
  timeout: 120_000,
}, async () => {
  const { lab, letGo } = await pausedLab()
  const { folder, start, run } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
  await keepArchive(join(folder, 'data'))
  const stopped = start(asking('lab/m0,lab/m1,lab/slow'))
  await stopped.wrote(/m1 answers/)
  stopped.child.kill('SIGINT')
  const { code, out } = await stopped.done
  expect(code).toBe(130)
  expect(out).toMatch(/to continue: roundtable resume \S+/)
  letGo()
  const before = lab.calls.length
  const resumed = await run('resume', 'last')
  expect(resumed.code).toBe(0)
  expect(resumed.out).toContain('The session is resumed')
  expect(lab.calls.slice(before).map(call => call.body.model)).toEqual(['slow'])
  expect((await run('resume', 'last')).err).toContain('there is nothing to resume')
})
