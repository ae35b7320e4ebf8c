/** The server on the real engine: on an embedded database, and on Postgres with the sessions run elsewhere. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveEvent } from '../../src/core/event.ts'
import { createLog } from '../../src/http/log.ts'
import { startServer } from '../../src/main/app.ts'
import type { Engine, Where } from '../../src/run/jobs.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import { openEngine } from '../../src/run/worker.ts'
import { startLab } from '../lab/server.ts'
import { postgresPrograms, startPostgres } from '../postgres-server.ts'
import { emptyConfig, testReach } from '../reach.ts'
import { question } from './setup.ts'
import { openStream, positionsIn, type Stream } from './stream.ts'

const openWith = async (where: Where, baseURL: string, work: boolean) => {
  const reach = testReach(emptyConfig(tmpdir()), { endpoints: [{ id: 'lab', baseURL }] })
  const { providers, protocols } = reach
  const engine: Engine = await openEngine({
    where,
    work,
    runtime: (store, slots) => createRuntime({ providers, protocols, store, slots }),
  })
  onTestFinished(() => engine.close())
  return { engine, reach }
}

const serve = async (where: Where, elsewhere: boolean) => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-whole-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const lab = await startLab({
    models: { c: { fault: 'unknown-model' } },
    tokensPerSecond: 400,
    firstTokenMs: 500,
  })
  onTestFinished(() => lab.stop())
  if (elsewhere) await openWith(where, lab.baseURL, true)
  const { engine, reach } = await openWith(where, lab.baseURL, !elsewhere)
  const log = createLog(false, { write() {} })
  const server = await startServer({ engine, reach, log, pages: data })
  onTestFinished(() => server.close())
  const post = (path: string, body: object, key?: string) =>
    fetch(`${server.address}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    })
  return { engine, address: server.address, post }
}

const eventsIn = ({ messages }: Stream): LiveEvent[] =>
  messages.map(({ data }) => JSON.parse(data) as LiveEvent)

const finished = (stream: Stream, times: number) =>
  stream.until(() => eventsIn(stream).filter(({ type }) => type === 'session-finished').length === times)

const wholeStory = async (where: Where, elsewhere: boolean): Promise<void> => {
  const { engine, address, post } = await serve(where, elsewhere)
  const opened = await Promise.all([1, 2].map(() => post('/api/sessions', question, 'the-same')))
  const { id } = (await (await post('/api/sessions', question, 'the-same')).json()) as { id: string }
  expect(opened.map(({ status }) => status)).toContain(201)
  expect(await engine.archive.list()).toHaveLength(1)
  const url = `${address}/api/sessions/${id}/events`
  const stream = await openStream(url)
  await finished(stream, 1)
  expect(eventsIn(stream).map(({ type }) => type)).toContain('delta')
  const replace = await post(`/api/sessions/${id}/seats/s3/replace`, { seat: 'lab/d' })
  expect(replace.status).toBe(202)
  await finished(stream, 2)
  const log = await engine.archive.read(id)
  expect(positionsIn(stream.messages)).toEqual(log.map(({ position }) => position))
  expect(eventsIn(stream).filter(event => 'position' in event)).toEqual(log)
  const late = await openStream(url, { 'last-event-id': '2' })
  await finished(late, 2)
  expect(positionsIn(late.messages)).toEqual(positionsIn(stream.messages).slice(3))
  for (const one of [stream, late]) one.cut()
  await vi.waitFor(() => expect(engine.running()).toEqual([]))
}

test('[H58] on an embedded database a session is opened once, watched live, and acted on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-whole-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await wholeStory({ folder }, false)
}, 60_000)

const programs = await postgresPrograms()
const why = programs ? '' : ' (skipped: there is no Postgres here that this user may run)'

describe.skipIf(!programs)(`on a Postgres server${why}`, async () => {
  if (!programs) return
  const server = await startPostgres(programs)
  afterAll(() => server.stop(), 30_000)

  test('[H58] the same if another process runs the session', async () => {
    await wholeStory({ address: await server.newDatabase() }, true)
  }, 60_000)
})
