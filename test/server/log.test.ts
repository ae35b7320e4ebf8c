/** What the log and the replies say when the database fails: the cause, and nothing that was in a query. */

import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLog } from '../../src/http/log.ts'
import type { Archive } from '../../src/store/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { question, startSetup } from './setup.ts'

/** Fails as drizzle does, with the parameters of the query in its message, in several lines. */
const failed = (...given: readonly unknown[]): DrizzleQueryError =>
  new DrizzleQueryError(
    'insert into "settings" ("name", "value") values ($1, $2)',
    ['first\n    at line', JSON.stringify(given)],
    Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' }),
  )

test('[H70] if the database fails, neither a reply nor a log line repeats what was in the query', async () => {
  const store = memoryStore()
  let broken = false
  const names = ['append', 'read', 'find', 'setting', 'addSetting', 'saveSetting'] as const
  const archive = {
    ...store,
    ...Object.fromEntries(
      names.map(name => [
        name,
        async (...given: readonly unknown[]) => {
          if (broken) throw failed(...given)
          return (store[name] as (...given: readonly unknown[]) => Promise<unknown>)(...given)
        },
      ]),
    ),
  } as Archive
  const setup = await startSetup({ archive, runs: false, heartbeatMs: 20 })
  const id = await setup.ask()
  const { token } = (await (await setup.call(`/api/sessions/${id}/share`, { method: 'POST' })).json()) as {
    token: string
  }
  const watching = await setup.call(`/api/shared/${token}/events`)
  broken = true
  const replies = [
    await setup.call(`/api/shared/${token}`),
    await setup.call('/api/sessions', { json: question, headers: { 'idempotency-key': 'secret-key' } }),
    await setup.call('/api/sessions', { json: question }),
    await setup.call('/api/settings?check=true'),
    await setup.call('/readyz'),
  ]
  const texts = await Promise.all(replies.map(reply => reply.text()))
  while (!setup.log().includes('A heartbeat failed.')) await new Promise(resolve => setTimeout(resolve, 10))
  await watching.body?.cancel()
  expect(replies.map(({ status }) => status).slice(0, 3)).toEqual([500, 500, 500])
  for (const text of [...texts, setup.log()])
    for (const secret of [token, question.question, 'params', 'at line', '$1'])
      expect(text).not.toContain(secret)
  expect(setup.log()).toContain('Connection terminated unexpectedly')
  // Where it happened is still there.
  expect(setup.log()).toMatch(/log\.test\.ts/)
})

test('[H70] other parts of the program and packages may log such an error as it is, or as text', () => {
  const lines: string[] = []
  const log = createLog(true, { write: line => void lines.push(line) })
  const error = failed('a question')
  const wrapped = new Error('The job failed.', { cause: error })
  for (const one of [error, String(error), error.stack, `Again: ${error.message}`, wrapped, { inner: error }])
    log.error({ error: one }, 'It failed.')
  log.error(error, 'It failed.')
  expect(lines).toHaveLength(7)
  expect(lines.join('')).not.toMatch(/a question|at line/)
  expect(lines.join('')).toContain('The job failed.')
  expect(lines[0]).toContain('Connection terminated unexpectedly')
})
