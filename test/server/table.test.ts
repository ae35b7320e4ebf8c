/** Models, line-ups, estimates, settings, health and the reference, on a real server. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { problemSchema } from '../../src/api/common.ts'
import {
  estimateSchema,
  houseSchema,
  lineupSchema,
  lineupsSchema,
  modelsSchema,
  protocolsSchema,
  settingsSchema,
} from '../../src/api/table.ts'
import { fold } from '../../src/core/fold.ts'
import { protocols } from '../../src/protocols/index.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { question, startSetup } from './setup.ts'

test('[H45] models are found, with what is missing to seat them', async () => {
  let refreshed = 0
  const { call } = await startSetup({
    runs: false,
    reach: {
      async refresh() {
        refreshed++
        return []
      },
    },
  })
  const find = async (query: string) => modelsSchema.parse(await (await call(`/api/models?${query}`)).json())
  const { models } = await find('search=claude%20opus')
  expect(models[0]).toMatchObject({ maker: 'anthropic', configured: false })
  expect(models[0]?.missing).toContain('ANTHROPIC_API_KEY')
  const few = await find('maker=mistral&limit=2')
  expect([few.models.length, few.total > 2]).toEqual([2, true])
  expect(new Set(few.models.map(({ maker }) => maker))).toEqual(new Set(['mistral']))
  expect((await find('configured=true')).models).toEqual([])
  expect(refreshed).toBe(3)
})

test('[H46] line-ups are saved by name, and come before configured and built-in ones', async () => {
  const { call, archive } = await startSetup({ config: { lineups: { duo: ['lab/a', 'lab/b'] } } })
  const read = async (name: string) => lineupSchema.parse(await (await call(`/api/lineups/${name}`)).json())
  expect(await read('duo')).toMatchObject({ origin: 'configuration', seats: ['lab/a', 'lab/b'] })
  expect(await read('frontier')).toMatchObject({ origin: 'built-in', seats: [] })
  const seats = ['lab/c', { model: 'lab/d', brief: 'Doubt.' }]
  expect((await call('/api/lineups/duo', { method: 'PUT', json: { seats } })).status).toBe(204)
  expect(await read('duo')).toMatchObject({ origin: 'saved', seats })
  const { seats: _seats, ...bare } = question
  const opened = await call('/api/sessions', { json: { ...bare, lineup: 'duo' } })
  const { id } = (await opened.json()) as { id: string }
  expect(fold(await archive.read(id)).seats.map(({ model }) => model)).toEqual(['lab/c', 'lab/d'])
  const all = lineupsSchema.parse(await (await call('/api/lineups')).json()).lineups
  expect(all.map(({ name }) => name)).toEqual([
    'duo',
    'frontier',
    'open-weights',
    'fast',
    'local',
    'subscriptions',
  ])
  expect((await call('/api/lineups/duo', { method: 'DELETE' })).status).toBe(204)
  expect((await call('/api/lineups/duo', { method: 'DELETE' })).status).toBe(404)
  expect((await read('duo')).origin).toBe('configuration')
  expect((await call('/api/lineups/nobody')).status).toBe(404)
})

test('[H47] an estimate says what a session would take, and opens none', async () => {
  const { call, archive } = await startSetup({ runs: false })
  const estimate = estimateSchema.parse(await (await call('/api/estimate', { json: question })).json())
  expect(estimate.calls.low).toBeGreaterThanOrEqual(3)
  expect(await archive.list()).toEqual([])
})

test('[H48] protocols are told with their rounds', async () => {
  const { call } = await startSetup({ runs: false })
  const told = protocolsSchema.parse(await (await call('/api/protocols')).json()).protocols
  expect(told.map(({ id }) => id)).toEqual(protocols.map(({ id }) => id))
  expect(told.filter(({ usual }) => usual).map(({ id }) => id)).toEqual(['hybrid'])
})

test('[H49] settings tell what is configured and, when asked, what is wrong with it', async () => {
  const { call } = await startSetup({ config: { seats: ['lab/a', 'nobody knows this'] } })
  const quick = settingsSchema.parse(await (await call('/api/settings')).json())
  expect(quick.providers).toContainEqual(
    expect.objectContaining({ id: 'lab', configured: true, variables: ['LAB_API_KEY'] }),
  )
  expect(quick.providers).toContainEqual(
    expect.objectContaining({ id: 'anthropic', configured: false, variables: ['ANTHROPIC_API_KEY'] }),
  )
  expect(quick).toMatchObject({ guarded: false, findings: null, house: { state: 'absent' } })
  const checked = settingsSchema.parse(await (await call('/api/settings?check=true')).json())
  expect(checked.findings).toContainEqual(expect.objectContaining({ subject: 'lab', state: 'good' }))
  expect(checked.findings).toContainEqual(
    expect.objectContaining({ subject: 'seat nobody knows this', state: 'bad' }),
  )
})

test('[H50] the house model is fetched with consent alone', async () => {
  const { call } = await startSetup({ runs: false })
  expect((await call('/api/house/fetch', { json: {} })).status).toBe(422)
  expect((await call('/api/house/fetch', { json: { consent: false } })).status).toBe(422)
  expect(houseSchema.parse(await (await call('/api/house')).json())).toMatchObject({
    state: 'absent',
    fetched: null,
  })
})

test('[H51] configured seats, moderator and protocol count where the request says nothing', async () => {
  const config = { seats: ['lab/a', 'lab/b'], moderator: 'lab/m', protocol: 'roundtable', rounds: 2 }
  const { call, archive } = await startSetup({ runs: false, config })
  const open = async (json: object) => {
    const { id } = (await (await call('/api/sessions', { json })).json()) as { id: string }
    return fold(await archive.read(id))
  }
  const usual = await open({ question: 'Why?' })
  expect(usual).toMatchObject({ moderator: 'lab/m', protocol: 'roundtable', rounds: 2 })
  expect(usual.seats.map(({ model }) => model)).toEqual(['lab/a', 'lab/b'])
  expect(await open({ question: 'Why?', protocol: 'poll', moderator: null })).toMatchObject({
    moderator: null,
    rounds: 0,
  })
})

test('[H52] endpoints and files come from the configuration, never from a request', async () => {
  const { call, archive } = await startSetup({ runs: false })
  const bodies = [
    { endpoints: [{ id: 'evil', baseURL: 'http://10.0.0.1/v1' }] },
    { seats: ['house:/etc/passwd'] },
    { seats: [{ model: 'house//etc/secret.gguf' }] },
    { moderator: 'house:../x.gguf' },
    { seats: [{ model: 'lab/a', baseURL: 'http://10.0.0.1/v1' }] },
  ]
  for (const more of bodies) {
    const reply = await call('/api/sessions', { json: { ...question, ...more } })
    expect(reply.status).toBe(422)
  }
  expect(
    (await call('/api/lineups/x', { method: 'PUT', json: { seats: ['house:/etc/x.gguf'] } })).status,
  ).toBe(422)
  expect(await archive.list()).toEqual([])
})

test('[H53] problems are documents with words that say what to do', async () => {
  const { call } = await startSetup({ runs: false })
  const problem = async (reply: Promise<Response>) => {
    const { headers, status, ...rest } = await reply
    expect(headers.get('content-type')).toBe('application/problem+json')
    const told = problemSchema.parse(await (await reply).json())
    expect([told.status, rest]).toEqual([status, {}])
    return told
  }
  expect(await problem(call('/api/sessions/nobody'))).toMatchObject({ status: 404, title: 'Not Found' })
  expect((await problem(call('/api/nothing'))).detail).toContain('/api/docs')
  const wrong = await problem(call('/api/sessions', { json: { ...question, rounds: 9, seats: [] } }))
  expect([wrong.status, wrong.errors?.map(({ path }) => path)]).toEqual([422, ['seats', 'rounds']])
  const unknown = await problem(call('/api/sessions', { json: { ...question, seats: ['Claude Opus 4.6'] } }))
  expect([unknown.status, unknown.detail]).toEqual([422, expect.stringContaining('ANTHROPIC_API_KEY')])
})

test('[H54] health, readiness and figures are told', async () => {
  const kept = memoryStore()
  let isFull = false
  const find: typeof kept.find = (...asked) =>
    isFull ? Promise.reject(new Error('the disk is full')) : kept.find(...asked)
  const { call, ask, log } = await startSetup({ runs: false, archive: { ...kept, find } })
  await ask()
  expect(await (await call('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await call('/readyz')).status).toBe(200)
  const figures = await (await call('/metrics')).text()
  expect(figures).toContain('roundtable_requests_total{route="/api/sessions",method="POST",status="201"} 1')
  expect(figures).toContain('roundtable_sessions_running 0')
  isFull = true
  expect((await call('/readyz')).status).toBe(503)
  expect((await call('/healthz')).status).toBe(200)
  expect(log()).toContain('the disk is full')
})

test('[H55] the API is described as OpenAPI 3.1, and on a page without scripts', async () => {
  const { call } = await startSetup({ runs: false })
  const document = (await (await call('/api/openapi.json')).json()) as { openapi: string; paths: object }
  expect(document.openapi).toBe('3.1.0')
  const page = await (await call('/api/docs')).text()
  for (const path of Object.keys(document.paths)) expect(page).toContain(path)
  expect(page).not.toMatch(/<script|https?:\/\/(?!json-schema)/)
})

test('[H56] built pages are served at every address that is no file; without them, one that names the API', async () => {
  const plain = await startSetup({ runs: false })
  expect(await (await plain.call('/')).text()).toContain('/api/docs')
  const data = mkdtempSync(join(tmpdir(), 'roundtable-pages-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  mkdirSync(join(data, 'assets'), { recursive: true })
  writeFileSync(join(data, 'index.html'), '<!doctype html><title>Pages</title>')
  writeFileSync(join(data, 'assets', 'main.js'), 'export {}')
  const { call } = await startSetup({ runs: false, pages: data })
  for (const path of ['/', '/sessions/x', '/shared/token']) {
    const reply = await call(path)
    expect(await reply.text()).toContain('<title>Pages</title>')
    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
  }
  const script = await call('/assets/main.js')
  expect([script.status, script.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('javascript'),
  ])
  for (const path of ['/assets/other.js', '/api/nothing']) expect((await call(path)).status).toBe(404)
  for (const path of ['/assets/..%2f..%2f..%2f..%2f..%2fetc/passwd', '/..%2f..%2f..%2f..%2fetc/passwd'])
    expect(await (await call(path)).text()).not.toContain('root:')
})
