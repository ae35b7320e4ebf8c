/** The routes of sessions, on a real server. */

import { expect, test, vi } from 'vitest'
import { findingsSchema, openedSchema, sessionSchema } from '../../src/api/sessions.ts'
import { statsSchema } from '../../src/api/table.ts'
import { fold } from '../../src/core/fold.ts'
import { exporters } from '../../src/exports/index.ts'
import { question, startSetup } from './setup.ts'

const failing = { fault: 'unknown-model', first: 1 } as const

test('[H1] a question opens a session, which runs by itself and is read with its verdict', async () => {
  const { call, engine } = await startSetup()
  const reply = await call('/api/sessions', { json: question })
  expect(reply.status).toBe(201)
  const { id } = openedSchema.parse(await reply.json())
  expect(reply.headers.get('location')).toBe(`/api/sessions/${id}`)
  await engine.idle()
  const session = sessionSchema.parse(await (await call(`/api/sessions/${id}`)).json())
  expect(session).toMatchObject({
    id,
    question: question.question,
    outcome: 'verdict',
    tags: [],
    share: null,
  })
  expect(session.events.map(event => event.position)).toEqual(session.events.map((_, index) => index))
})

test('[H2] a session that is under way is read without an outcome', async () => {
  const { call, ask } = await startSetup({ runs: false })
  const session = sessionSchema.parse(await (await call(`/api/sessions/${await ask()}`)).json())
  expect(session.outcome).toBeUndefined()
  expect(session.progress).toMatchObject({ now: 'The seats are being filled', secondsLeft: { low: 8 } })
  expect(session.events).toHaveLength(1)
})

test('[H3] sessions are found by words, tag and outcome, a page at a time', async () => {
  const { call, ask, engine } = await startSetup()
  const moon = await ask({ question: 'How far is the Moon?' })
  const ids = [moon, await ask(), await ask()]
  await engine.idle()
  const find = async (query: string) =>
    findingsSchema.parse(await (await call(`/api/sessions?${query}`)).json())
  expect((await find('words=moon')).sessions.map(({ id }) => id)).toEqual([moon])
  expect((await find('outcome=budget')).sessions).toEqual([])
  const put = await call(`/api/sessions/${moon}/tags`, { method: 'PUT', json: { tags: ['space', 'space'] } })
  expect(put.status).toBe(204)
  expect((await find('tag=space')).sessions).toMatchObject([{ id: moon, tags: ['space'] }])
  const first = await find('limit=2')
  const second = await find(`limit=2&cursor=${first.next}`)
  expect([...first.sessions, ...second.sessions].map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(second.next).toBeNull()
  expect((await call('/api/sessions?cursor=nonsense')).status).toBe(422)
})

test('[H4] a deleted session is gone', async () => {
  const { call, ask, engine } = await startSetup()
  const id = await ask()
  await engine.idle()
  expect((await call(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
  for (const path of ['', '/events', '/export/json'])
    expect((await call(`/api/sessions/${id}${path}`)).status).toBe(404)
})

test('[H5] a seat that failed is asked again, or replaced, and each act is an event of the log', async () => {
  const { call, ask, engine, archive } = await startSetup({
    lab: { models: { b: failing, c: { fault: 'unknown-model' } } },
  })
  const id = await ask()
  await engine.idle()
  const retry = await call(`/api/sessions/${id}/seats/s2/retry`, { method: 'POST' })
  expect(retry.status).toBe(202)
  const { position } = (await retry.json()) as { position: number }
  await engine.idle()
  const replaced = await call(`/api/sessions/${id}/seats/s3/replace`, {
    json: { seat: { model: 'lab/d', brief: 'Doubt.' } },
  })
  expect(replaced.status).toBe(202)
  await engine.idle()
  const log = await archive.read(id)
  expect(log[position]?.type).toBe('seat-retried')
  expect(log.filter(event => event.type === 'seat-replaced')).toHaveLength(1)
  expect(fold(log)).toMatchObject({
    outcome: 'verdict',
    seats: [{}, {}, { model: 'lab/d', brief: 'Doubt.' }],
  })
})

test('[H6] what cannot be done as the session stands is refused with 409, and an unknown seat with 404', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const id = await ask()
  await engine.idle()
  const before = await archive.read(id)
  const post = async (path: string, json: unknown = {}) =>
    (await call(`/api/sessions/${id}/${path}`, { json })).status
  expect(await post('seats/s1/retry')).toBe(409)
  expect(await post('seats/s9/retry')).toBe(404)
  expect(await post('seats/s1/replace', { seat: 'lab/d' })).toBe(409)
  expect(await post('seats/s1/replace', { seat: 'nobody knows this model' })).toBe(422)
  expect(await post('cancel')).toBe(409)
  expect(await post('resume')).toBe(409)
  expect(await post('rounds')).toBe(409)
  expect(await archive.read(id)).toEqual(before)
})

test('[H78] the table goes on without a seat, if it waits for that seat', async () => {
  const held = Promise.withResolvers<void>()
  const handler = async ({ body }: { body: { model: string } }) => {
    if (body.model === 'c') await held.promise
    return { headline: 'Yes.', choice: 'Yes', reasoning: 'It is cheap.', confidence: 0.8 }
  }
  const { call, ask, engine, archive } = await startSetup({ lab: { handler } })
  const id = await ask({ protocol: 'poll', seats: ['lab/a', 'lab/b', 'lab/c'], moderator: null })
  const goOn = async (seat: string) =>
    (await call(`/api/sessions/${id}/seats/${seat}/go-on`, { method: 'POST' })).status
  await vi.waitFor(async () =>
    expect((await archive.read(id)).filter(({ type }) => type === 'answer-given')).toHaveLength(2),
  )
  expect(await goOn('s1')).toBe(409)
  const { progress } = sessionSchema.parse(await (await call(`/api/sessions/${id}`)).json())
  expect(progress?.now).toBe('Waiting for c')
  expect(await goOn('s9')).toBe(404)
  expect(await goOn('s3')).toBe(202)
  await engine.idle()
  held.resolve()
  const session = fold(await archive.read(id))
  expect(session).toMatchObject({ outcome: 'verdict', roundsSoFar: [{ overdue: ['s3'] }] })
  expect(await goOn('s3')).toBe(409)
})

test('[H7] a session is stopped, resumed, and given one more round', async () => {
  const held = Promise.withResolvers<void>()
  const reply = { headline: 'Yes.', choice: 'Yes', reasoning: 'It is cheap.', confidence: 0.8, move: 'held' }
  const handler = async ({ body }: { body: { model: string } }) => {
    if (body.model === 'a') await held.promise
    return reply
  }
  const { call, ask, engine, archive } = await startSetup({ lab: { handler } })
  const id = await ask({ protocol: 'roundtable', rounds: 1 })
  const post = async (path: string) => (await call(`/api/sessions/${id}/${path}`, { method: 'POST' })).status
  expect(await post('cancel')).toBe(202)
  await engine.idle()
  expect(fold(await archive.read(id)).outcome).toBe('interrupted')
  held.resolve()
  expect(await post('resume')).toBe(202)
  await engine.idle()
  expect(fold(await archive.read(id)).outcome).toBe('verdict')
  const before = fold(await archive.read(id)).roundsSoFar.length
  expect(await post('rounds')).toBe(202)
  await engine.idle()
  expect(fold(await archive.read(id)).roundsSoFar).toHaveLength(before + 1)
})

test('[H17] a session that is over is resolved, and the track record of its models is told', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const id = await ask()
  const post = async (json: object) => (await call(`/api/sessions/${id}/resolve`, { json })).status
  await engine.idle()
  expect(await post({ answer: 'Perhaps' })).toBe(422)
  expect(await post({})).toBe(422)
  expect(await post({ answer: 'Yes' })).toBe(202)
  await engine.idle()
  expect((await archive.read(id)).at(-1)?.type).toBe('session-resolved')
  const stats = statsSchema.parse(await (await call('/api/stats')).json())
  expect(stats).toMatchObject({ sessions: 1, resolved: 1 })
  expect(stats.models.map(({ model }) => model).sort()).toEqual(['lab/a', 'lab/b', 'lab/c'])
})

test('[T74] the server finds the track record that a request asks for, and takes no scores from it', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const resolved = await ask()
  await engine.idle()
  await call(`/api/sessions/${resolved}/resolve`, { json: { answer: 'Yes' } })
  await engine.idle()
  const opened = async (id: string) => fold(await archive.read(id))
  expect((await opened(await ask({ record: true }))).record).toMatchObject({ 'lab/a': { of: 1 } })
  expect(await opened(await ask())).not.toHaveProperty('record')
  const scores = { 'lab/a': { right: 9, of: 9 } }
  for (const sent of [
    { record: scores },
    { splits: scores },
    { purses: { 'lab/a': 3 } },
    { form: 'answer-first' },
  ])
    expect((await call('/api/sessions', { json: { question: 'Is it so?', ...sent } })).status).toBe(422)
})

test('[H17] a session that is under way cannot be resolved', async () => {
  const { call, ask } = await startSetup({ runs: false })
  const reply = await call(`/api/sessions/${await ask()}/resolve`, { json: { answer: 'Yes' } })
  expect(reply.status).toBe(409)
})

test('[A20] the kind of question is corrected over HTTP, and a kind that the format rules out is refused', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const id = await ask({ kind: 'fact' })
  await engine.idle()
  const post = async (path: string, json: object) =>
    (await call(`/api/sessions/${id}/${path}`, { json })).status
  expect(await post('kind', { kind: 'colour' })).toBe(422)
  expect(await post('kind', { kind: 'text' })).toBe(422)
  expect(await post('kind', { kind: 'taste' })).toBe(202)
  await engine.idle()
  expect((await archive.read(id)).at(-1)).toMatchObject({ type: 'kind-corrected', kind: 'taste' })
  expect(await (await call(`/api/sessions/${id}`)).json()).toMatchObject({ kind: 'taste', kindBy: 'asker' })
  expect(await post('resolve', { answer: 'Yes' })).toBe(422)
})

test('[H8] a fork asks the same question; what the body says takes the place of what was', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const id = await ask({ seats: ['lab/a', { model: 'lab/b', brief: 'Doubt.' }], budget: 2 })
  await engine.idle()
  const fork = async (json: object) => {
    const { id: forked } = openedSchema.parse(await (await call(`/api/sessions/${id}/fork`, { json })).json())
    await engine.idle()
    return fold(await archive.read(forked))
  }
  const original = fold(await archive.read(id))
  const same = await fork({})
  expect(same).toMatchObject({ question: original.question, protocol: 'poll', budget: { usd: 2 } })
  expect(same.seats).toEqual(original.seats)
  const other = await fork({ seats: ['lab/x', 'lab/y'], protocol: 'roundtable', format: 'open' })
  expect(other).toMatchObject({
    protocol: 'roundtable',
    rounds: 1,
    question: { format: 'open', options: [] },
  })
  expect(other.seats.map(({ model }) => model)).toEqual(['lab/x', 'lab/y'])
})

test('[H9] a session is exported in every form, as a file that can do nothing, and imported once', async () => {
  const { call, ask, engine, archive } = await startSetup()
  const id = await ask()
  await engine.idle()
  for (const { id: format, contentType, extension, write } of exporters) {
    const reply = await call(`/api/sessions/${id}/export/${format}`)
    expect(await reply.text()).toBe(write(await archive.read(id)))
    expect(reply.headers.get('content-type')).toBe(contentType)
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${id}.${extension}"`)
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  }
  const text = await (await call(`/api/sessions/${id}/export/json`)).text()
  const send = (body: string) =>
    call('/api/import', { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
  expect((await send(text)).status).toBe(409)
  const log = await archive.read(id)
  await archive.remove(id)
  expect((await send(text)).status).toBe(201)
  expect(await archive.read(id)).toEqual(log)
  expect((await send('')).status).toBe(422)
})
