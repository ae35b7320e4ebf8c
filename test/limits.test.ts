/** Providers are held to their limits, across all sessions of a process. */

import { afterEach, expect, test } from 'vitest'
import { createRoundtable } from '../src/library/index.ts'
import type { Limits } from '../src/models/provider.ts'
import type { Running } from '../src/run/runtime.ts'
import { type Lab, startLab } from './lab/server.ts'

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
