/** Providers are held to their limits, across all sessions of a process. */

import { afterEach, expect, test } from 'vitest'
import type { LiveEvent } from '../src/core/event.ts'
import { createRoundtable } from '../src/library/index.ts'
import type { Limits } from '../src/models/provider.ts'
import type { Running } from '../src/run/runtime.ts'
import { errorStatus, type Lab, startLab } from './lab/server.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
})

const askTwice = (baseURL: string, limits: Limits, signal?: AbortSignal): Running[] => {
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL, limits }] })
  const seats = ['lab/m0', 'lab/m1', 'lab/m2']
  const input = { question: 'Should a small team start early?', seats, protocol: 'poll', signal }
  return [roundtable.ask(input), roundtable.ask(input)]
}

test('[R40] no more calls are under way at a provider than its limit, whatever session they are of', async () => {
  let underWay = 0
  let most = 0
  lab = await startLab({
    async handler() {
      most = Math.max(most, ++underWay)
      await new Promise(resolve => setTimeout(resolve, 30))
      underWay--
      return { headline: 'Yes.', reasoning: 'So.', confidence: 0.5 }
    },
  })
  const sessions = await Promise.all(askTwice(lab.baseURL, { concurrency: 2 }).map(running => running.result))
  expect(sessions.map(session => session.verdict.answered)).toEqual([3, 3])
  expect(most).toBe(2)
})

test('[R41] no more calls go to a provider in a minute than its limit; the others wait, and can be stopped', async () => {
  const stop = new AbortController()
  let calls = 0
  lab = await startLab({
    handler() {
      // Long enough for a call beyond the limit to be seen.
      if (++calls === 4) setTimeout(() => stop.abort(), 300)
      return { headline: 'Yes.', reasoning: 'So.', confidence: 0.5 }
    },
  })
  const running = askTwice(lab.baseURL, { requestsPerMinute: 4 }, stop.signal)
  const sessions = await Promise.all(running.map(one => one.result))
  expect(calls).toBe(4)
  expect(sessions.map(session => session.verdict.answered).reduce((sum, count) => sum + count)).toBe(4)
  expect(sessions.map(session => session.outcome)).toContain('interrupted')
})

test('[R411] a table that is larger than a limit waits as the provider asks it to, and every seat answers', async () => {
  let [second, taken] = [0, 0]
  lab = await startLab({
    handler({ at }) {
      if (Math.floor(at / 1_000) !== second) [second, taken] = [Math.floor(at / 1_000), 0]
      if (++taken > 5) return errorStatus(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '1' })
      return { headline: 'Yes.', reasoning: 'So.', confidence: 0.5 }
    },
  })
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
  const seats = Array.from({ length: 40 }, (_, index) => `lab/m${index}`)
  const question = 'Should a small team start early?'
  const running = roundtable.ask({ question, seats, protocol: 'poll', moderator: null })
  const waits: LiveEvent[] = []
  for await (const event of running.events) if (event.type === 'retrying') waits.push(event)
  const { verdict, rounds } = await running.result
  expect(verdict.answered).toBe(40)
  expect(new Set(rounds[0]?.answers.map(({ timing }) => timing?.attempts))).toEqual(new Set([1]))
  expect(waits[0]).toMatchObject({ waits: true, why: expect.stringMatching(/^lab asks us to wait: \d s$/) })
}, 60_000)
