/** Settings that are changed while a server runs, over HTTP. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SettingsReply } from '../../src/api/table.ts'
import { loadConfig, settingsPath } from '../../src/table/config.ts'
import { liveReach, openReach } from '../../src/table/open-reach.ts'
import { question, type Setup, type SetupOptions, secretKey, startSetup } from './setup.ts'

const token = 'a-token-of-enough-characters'
const adminToken = 'an-admin-token-of-enough-characters'

const started = async (
  options: Omit<SetupOptions, 'live'> = {},
  variables: Record<string, string> = {},
): Promise<Setup & { data: string }> => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-settings-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const env = { ROUNDTABLE_DATA: data, ROUNDTABLE_CACHE: data, ROUNDTABLE_LOCAL: 'no', ...variables }
  const load = () => loadConfig({ env, cwd: data, home: data })
  const live = await liveReach(() => openReach(load(), { cwd: data, clock: Date.now }))
  return Object.assign(await startSetup({ live, ...options }), { data })
}

const put = (setup: Setup, path: string, json: unknown, headers: Record<string, string> = {}) =>
  setup.call(`/api/settings/${path}`, { method: 'PUT', json, headers })

const settingsOf = async (setup: Setup, headers = {}): Promise<SettingsReply> =>
  (await (await setup.call('/api/settings', { headers })).json()) as SettingsReply

test('[H89] the variable of an endpoint is named only if it holds a key', async () => {
  const ROUNDTABLE_ENDPOINTS = 'open=http://127.0.0.1:9/v1,locked=http://127.0.0.1:9/v1'
  const setup = await started({}, { ROUNDTABLE_ENDPOINTS, ROUNDTABLE_LOCKED_KEY: secretKey })
  const { providers } = await settingsOf(setup)
  const named = providers.filter(({ kind }) => kind === 'endpoint')
  expect(named.map(({ id, variables, from }) => [id, variables, from])).toEqual([
    ['open', [], 'environment'],
    ['locked', ['ROUNDTABLE_LOCKED_KEY'], 'environment'],
  ])
})

test('[H81] an endpoint is added, tested, asked and removed without a restart', async () => {
  const setup = await started()
  const { baseURL } = setup.lab
  expect((await put(setup, 'endpoints/mine', { baseURL })).status).toBe(204)
  const keyless = await setup.call('/api/settings/providers/mine/test', { method: 'POST' })
  expect(await keyless.json()).toMatchObject({ state: 'bad', key: 'no key' })
  expect((await put(setup, 'endpoints/mine', { baseURL, key: secretKey })).status).toBe(204)
  const reply = await setup.call('/api/settings/providers/mine/test', { method: 'POST' })
  expect(await reply.json()).toMatchObject({ state: 'good', key: `…${secretKey.slice(-4)}` })
  const id = await setup.ask({ seats: ['mine/a', 'mine/b'], moderator: null })
  await setup.engine.idle()
  const { verdict } = (await (await setup.call(`/api/sessions/${id}`)).json()) as {
    verdict: { answered: number }
  }
  expect(verdict.answered).toBe(2)
  expect((await setup.call('/api/settings/endpoints/mine', { method: 'DELETE' })).status).toBe(204)
  expect((await setup.call('/api/settings/endpoints/mine', { method: 'DELETE' })).status).toBe(404)
  const refused = await setup.call('/api/sessions', { json: { ...question, seats: ['mine/a'] } })
  expect(refused.status).toBe(422)
})

test('[H82] defaults that are saved apply to the next question', async () => {
  const setup = await started()
  await put(setup, 'endpoints/mine', { baseURL: setup.lab.baseURL, key: secretKey })
  const defaults = { seats: ['mine/a', 'mine/c'], moderator: null, deadline: 42, budget: 1.5 }
  expect((await put(setup, 'defaults', defaults)).status).toBe(204)
  expect((await settingsOf(setup)).usual).toMatchObject({ ...defaults, fixed: [] })
  const { seats: _seats, ...open } = question
  const { id } = (await (await setup.call('/api/sessions', { json: open })).json()) as { id: string }
  const [opened] = await setup.archive.read(id)
  expect(opened).toMatchObject({
    deadline: 42,
    budget: { usd: 1.5 },
    seats: [{ model: 'mine/a' }, { model: 'mine/c' }],
  })
  expect((await put(setup, 'defaults', { seats: ['house//etc/passwd'] })).status).toBe(422)
})

test('[H83] a saved key is in no reply, log, event or error; only its last four characters are shown', async () => {
  const setup = await started({ lab: { models: { b: { fault: 'wrong-key' } } } })
  const other = 'sk-of-a-maker-entered-here-9z9z'
  const texts: string[] = []
  const kept = async (response: Response): Promise<void> => {
    texts.push(JSON.stringify([...response.headers]) + (await response.text()))
  }
  await kept(await put(setup, 'endpoints/mine', { baseURL: setup.lab.baseURL, key: secretKey }))
  await kept(await put(setup, 'keys/openai', { key: other }))
  await kept(await put(setup, 'keys/openai', { key: `${other} with spaces` }))
  await kept(await put(setup, 'keys/nobody', { key: other }))
  await kept(await put(setup, 'keys/openai', { key: other, more: other }))
  await kept(await put(setup, `endpoints/${secretKey.slice(0, 3)}/x`, { baseURL: 'x', key: secretKey }))
  await kept(await setup.call('/api/settings/providers/mine/test', { method: 'POST' }))
  const id = await setup.ask({ seats: ['mine/a', 'mine/b'], moderator: null })
  await setup.engine.idle()
  for (const path of [
    '/api/settings',
    `/api/sessions/${id}`,
    `/api/sessions/${id}/export/html`,
    '/api/models',
    '/metrics',
  ])
    await kept(await setup.call(path))
  texts.push(
    setup.log(),
    JSON.stringify(await setup.archive.read(id)),
    JSON.stringify(await setup.archive.settings()),
  )
  for (const text of texts) for (const key of [secretKey, other]) expect(text).not.toContain(key)
  const { providers } = await settingsOf(setup)
  expect(providers.find(one => one.id === 'openai')).toMatchObject({ from: 'settings', keyEnding: '…9z9z' })
  expect(providers.find(one => one.id === 'mine')).toMatchObject({ keyEnding: `…${secretKey.slice(-4)}` })
  expect(readFileSync(settingsPath(setup.data), 'utf8')).toContain(other)
})

/** What a server says to bytes that no client of ours would send. */
const answerTo = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  return (await Array.fromAsync(socket)).join('')
}

const outside = Object.values(networkInterfaces())
  .flat()
  .find(one => one?.family === 'IPv4' && !one.internal)?.address

test('[H84] with a token, only the admin or this machine itself may change settings', async () => {
  const setup = await started({ token, adminToken, host: '0.0.0.0' })
  const baseURL = setup.lab.baseURL
  const bearer = (word: string) => ({ authorization: `Bearer ${word}` })
  const change = (headers: Record<string, string>) => put(setup, 'endpoints/mine', { baseURL }, headers)
  const statuses = async (...all: Record<string, string>[]) =>
    Promise.all(all.map(async headers => (await change(headers)).status))
  expect(await statuses({}, bearer('not the token'))).toEqual([401, 401])
  const proxied = { ...bearer(token), 'x-forwarded-for': '203.0.113.9' }
  expect(await statuses(proxied, { ...bearer(token), via: '1.1 proxy' })).toEqual([403, 403])
  expect(await statuses({ ...bearer(adminToken), 'x-forwarded-for': '203.0.113.9' })).toEqual([204])
  expect((await settingsOf(setup, proxied)).changes).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('admin token'),
  })
})

test('[H88] what a proxy on this machine passes on is not from this machine', async () => {
  const setup = await started({ token, adminToken })
  const sent = (headers: Record<string, string>) =>
    put(setup, 'keys/openai', { key: 'sk-anything-at-all' }, { authorization: `Bearer ${token}`, ...headers })
  expect((await sent({})).status).toBe(204)
  for (const name of [
    ...[
      'X-Forwarded-Proto',
      'X-Forwarded-Port',
      'X-Forwarded-Server',
      'X-Original-Forwarded-For',
      'X-Client-IP',
    ],
    ...[
      'CF-Connecting-IP',
      'True-Client-IP',
      'Fly-Client-IP',
      'X-Cluster-Client-IP',
      'X-Real-IP',
      'Forwarded',
    ],
  ])
    expect([name, (await sent({ [name]: '203.0.113.9' })).status]).toEqual([name, 403])
  const old = `DELETE /api/settings/keys/openai HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`
  expect(await answerTo(setup.port, old)).toMatch(/^HTTP\/1\.1 403/)
})

test.skipIf(outside === undefined)('[H84] from another address the token alone is not enough', async () => {
  const setup = await started({ token, adminToken, host: '0.0.0.0' })
  const address = `http://${outside}:${setup.port}/api/settings/keys/openai`
  const send = (word: string) =>
    fetch(address, {
      method: 'PUT',
      body: JSON.stringify({ key: 'sk-anything-at-all' }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${word}` },
    })
  expect([(await send(token)).status, (await send(adminToken)).status]).toEqual([403, 204])
})

test('[H85] a page of another origin can neither set a key nor test one', async () => {
  const setup = await started()
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    expect((await put(setup, 'keys/openai', { key: 'sk-of-a-stranger' }, headers)).status).toBe(403)
    const reload = await setup.call('/api/settings/reload', { method: 'POST', headers })
    expect(reload.status).toBe(403)
  }
  expect((await settingsOf(setup)).providers.every(({ from }) => from === null)).toBe(true)
})

test('[H86] a server with a fixed configuration says that nothing can be changed', async () => {
  const setup = await startSetup()
  expect((await settingsOf(setup)).changes.allowed).toBe(false)
  expect((await put(setup, 'keys/openai', { key: 'sk-anything' })).status).toBe(403)
})
