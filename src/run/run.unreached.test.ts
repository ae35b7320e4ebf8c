/** A table that nobody can reach: one sentence, and nothing more is asked. */

import { describe, expect, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import type { ModelError } from '../core/basics.ts'
import { type SessionEvent, stamped } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { resumed } from '../count/acts.ts'
import { verdictOf } from '../count/verdict.ts'
import { exporters } from '../exports/index.ts'
import type { Provider } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { answerText } from '../report/report.ts'
import { listed } from '../store/store.ts'
import { endingOf, unreachedWords } from '../words/moves.ts'
import { callQueues } from './budget.ts'
import { run } from './run.ts'

const key: ModelError = { kind: 'wrong-key', message: 'Incorrect API key provided.', status: 401 }
const line =
  'No model could be reached: wrong key in LAB_KEY (401): Incorrect API key provided. Correct LAB_KEY.'

const opened = table({
  seats: seatsOf(3).map(seat => ({ ...seat, model: `scripted/${seat.id}` })),
  question: questionOf({ format: 'open' }),
  protocol: 'hybrid',
  rounds: 2,
  moderator: 'scripted/moderator',
}).events

/** Fails for seats with this error until it is mended, and says who was called. */
const failing = (errorOf: (model: string) => ModelError | undefined) => {
  const called: string[] = []
  const provider: Provider = {
    ...scripted(call => {
      called.push(call.model)
      const error = errorOf(call.model)
      if (error) return { parts: [{ type: 'error', error }] }
      return { headline: 'Yes.', reasoning: 'So.', confidence: 0.5, relation: 'same', kind: 'judgement' }
    }),
    keyVariable: 'LAB_KEY',
  }
  return { provider, called }
}

const runOn = (provider: Provider, log: readonly SessionEvent[]) =>
  run(
    {
      ...{ providers: [provider], openQueue: callQueues(), clock: () => 0, publish() {} },
      signal: new AbortController().signal,
    },
    log,
  )

describe('a table that cannot be reached', () => {
  test('[R414] ends with one sentence, without a verdict, and asks nothing more', async () => {
    const { provider, called } = failing(() => key)
    const log = await runOn(provider, opened)
    const session = fold(log)
    expect(log.slice(-2)).toMatchObject([
      { type: 'session-stopped', reason: 'failed', words: line },
      { type: 'session-finished', outcome: 'failed' },
    ])
    // The moderator was asked what kind of question it is while the seats were; of the answers it was asked nothing.
    expect(called.filter(model => model === 'moderator').length).toBeLessThan(2)
    expect(called.filter(model => model !== 'moderator')).toHaveLength(3)
    expect(log.filter(({ type }) => type === 'seat-silent')).toHaveLength(3)
    expect(session.report).toBeUndefined()
    expect(listed(log)).toMatchObject({ outcome: 'failed', level: null, line })
    expect([verdictOf(session).line, answerText(session), endingOf(session)?.words]).toEqual(
      Array(3).fill(line),
    )
    for (const exporter of exporters) expect(exporter.write(log)).toContain('wrong key in LAB_KEY')
  })

  test('[R415] asks all of them again when it is resumed', async () => {
    const { provider } = failing(() => key)
    const log = await runOn(provider, opened)
    const again = stamped(resumed(fold(log)), log.length, () => 0)
    const { provider: mended } = failing(() => undefined)
    const session = fold(await runOn(mended, [...log, again]))
    expect(session.outcome).toBe('verdict')
    expect(verdictOf(session).answered).toBe(3)
  })

  test.each<[string, (model: string) => ModelError | undefined]>([
    ['one seat answers', model => (model === 's2' ? undefined : key)],
    ['one seat is only slow', model => (model === 's2' ? { kind: 'timeout', message: 'too slow' } : key)],
  ])('[R414] goes on if %s', async (_, errorOf) => {
    const { provider } = failing(errorOf)
    expect(fold(await runOn(provider, opened)).outcome).toBe('no-quorum')
  })
})

const refused = 'refused the connection: is the server running? (ECONNREFUSED)'

test.each<[readonly ModelError[], string]>([
  [Array(6).fill({ kind: 'network', message: `127.0.0.1:8787 ${refused}` }), `127.0.0.1:8787 ${refused}.`],
  [
    [{ kind: 'network', message: 'connection to a.example failed (EPROTO)' }],
    'connection to a.example failed (EPROTO). Check that the endpoint is running and can be reached.',
  ],
  [
    [
      { kind: 'network', message: `127.0.0.1:8787 ${refused}` },
      { kind: 'unknown-model', message: 'No such model', status: 404 },
    ],
    `127.0.0.1:8787 ${refused}; unknown model (404): No such model. Check the name of the model.`,
  ],
  [
    Array.from({ length: 5 }, (_, index) => ({ kind: 'network', message: `h${index} ${refused}` })),
    `h0 ${refused}; h1 ${refused}; h2 ${refused}; and 2 more.`,
  ],
])('[R414] %j', (errors, words) => {
  expect(unreachedWords(errors)).toBe(`No model could be reached: ${words}`)
})
