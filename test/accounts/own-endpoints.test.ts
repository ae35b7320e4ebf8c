/** An endpoint of a person's own, from the account page to the calls of their sessions, and of nobody else's. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownProvidersWith } from '../../src/accounts/command.ts'
import { openedSchema } from '../../src/api/sessions.ts'
import { modelsSchema, settingsSchema } from '../../src/api/table.ts'
import type { Engine } from '../../src/run/jobs.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import { reachOf } from '../../src/table/reach.ts'
import { question } from '../server/setup.ts'
import { engineAt, type Folders, finished, labFor, makeFolders } from '../worker/setting.ts'
import { cheap, startTeam, type Team, type Visit } from './people.ts'

const secret = Buffer.alloc(32, 7)
const key = 'sk-of-ada-and-nobody-else'

let folders: Folders
beforeAll(async () => {
  folders = await makeFolders()
})
afterAll(() => folders.stop())

const form = async (visit: Visit, path: string, fields: Record<string, string>) => {
  const response = await visit.call(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text() }
}

const page = async (visit: Visit): Promise<string> => (await visit.call('/account')).text()

/** A server that runs sessions, with the lab of everybody, and one of Ada's own that wants her key. */
const startRunning = async () => {
  const [everybodys, adas] = [await labFor(), await labFor({ key, models: { a: {}, b: {} } })]
  const reach = reachOf({ endpoints: [{ id: 'lab', baseURL: everybodys.baseURL }], env: {} })
  const engine = await engineAt(folders.newFolder(), everybodys, {
    runtime: (store, slots) => createRuntime({ providers: reach.providers, store, slots }),
    ownProviders: ownProvidersWith(reach, secret, true),
    accounts: true,
  })
  const team = await startTeam({
    ...{ engine, archive: engine.archive },
    accounts: { ...cheap, secret, privateEndpoints: true },
  })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  const saved = await form(ada, '/account/endpoints', { id: 'mine', address: adas.baseURL, key })
  expect(saved.status).toBe(303)
  return { team, engine, adas, ada, bob }
}

const mixed = { ...question, seats: ['mine/a', 'lab/b'], moderator: null }

const opened = async (response: Response): Promise<string> => openedSchema.parse(await response.json()).id

const over = async (engine: Engine, id: string) => {
  await finished(engine, id)
  return engine.archive.read(id)
}

const models = async ({ call }: Visit) =>
  modelsSchema
    .parse(await (await call('/api/models?search=mine')).json())
    .models.map(({ id }) => id)
    .filter(id => id.startsWith('mine/'))

test('[AC141] a person adds, tests and removes an endpoint, and sees of its key the end alone', async () => {
  const lab = await labFor({ key, models: { a: {}, b: {} } })
  const team = await startTeam({ runs: false, accounts: { ...cheap, secret, privateEndpoints: true } })
  const ada = await team.comes('Ada', 'member')
  const address = lab.baseURL
  const queried = { id: 'queried', address: `${address}?token=hidden-in-the-address`, key: '' }
  expect((await form(ada, '/account/endpoints', queried)).status).toBe(303)
  expect((await form(ada, '/account/endpoints', { id: 'mine', address, key })).status).toBe(303)
  const shown = await page(ada)
  expect(shown).toContain('key …else')
  expect(shown).toContain(`${lab.baseURL}?…`)
  expect((await form(ada, '/account/endpoints/test', { id: 'mine' })).text).toMatch(
    /mine answers: \d+ models? in/,
  )
  await form(ada, '/account/endpoints', { id: 'mine', address, key: 'sk-something-wrong' })
  const wrong = await form(ada, '/account/endpoints/test', { id: 'mine' })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('on your account page')])
  const kept = JSON.stringify([await team.archive.records('endpoint'), await team.archive.records('audit')])
  expect(kept).toContain('endpoint-saved')
  for (const hidden of [key, 'sk-something', 'hidden-in']) {
    expect(kept + shown + wrong.text + team.log()).not.toContain(hidden)
    expect(await (await ada.call('/api/settings?check=true')).text()).not.toContain(hidden)
  }
  for (const id of ['lab', 'LAB', 'openai', 'ollama', 'house', 'a/b', ''])
    expect([id, (await form(ada, '/account/endpoints', { id, address, key })).status]).toEqual([id, 422])
  for (const odd of ['ftp://a.example/', 'http://user:pass@a.example/v1', 'no address'])
    expect((await form(ada, '/account/endpoints', { id: 'odd', address: odd, key: '' })).status).toBe(422)
  // Nobody else has it, and a viewer can have none.
  const [bob, eve] = [await team.comes('Bob', 'admin'), await team.comes('Eve', 'viewer')]
  expect(await page(bob)).not.toContain('mine')
  expect((await form(bob, '/account/endpoints/test', { id: 'mine' })).status).toBe(422)
  await form(bob, '/account/endpoints/remove', { id: 'mine' })
  expect(await page(ada)).toContain('…')
  expect((await form(eve, '/account/endpoints', { id: 'eves', address, key })).status).toBe(403)
  expect(await page(eve)).not.toContain('Your endpoints')
  expect((await form(ada, '/account/endpoints/remove', { id: 'mine' })).status).toBe(303)
  expect(await page(ada)).not.toContain('key …')
})

test('[AC142] only the owner’s sessions seat it: in the picker, in checks, in runs, when resumed and forked', async () => {
  const { engine, adas, ada, bob } = await startRunning()
  expect((await models(ada)).length).toBeGreaterThan(0)
  expect(await models(bob)).toEqual([])
  const checks = async ({ call }: Visit) =>
    settingsSchema.parse(await (await call('/api/settings?check=true')).json())
  const [mine, theirs] = [await checks(ada), await checks(bob)]
  expect(mine.findings?.find(({ subject }) => subject === 'mine')).toMatchObject({ state: 'good' })
  expect(mine.providers.find(({ id }) => id === 'mine')).toMatchObject({
    from: 'account',
    keyEnding: '…else',
  })
  expect(JSON.stringify(theirs)).not.toContain('"mine"')

  const id = await opened(await ada.call('/api/sessions', { json: mixed }))
  const log = await over(engine, id)
  expect(log.filter(({ type }) => type === 'answer-given')).toHaveLength(2)
  expect(adas.calls.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
  expect(JSON.stringify(log)).not.toContain(key)
  const fork = await opened(await ada.call(`/api/sessions/${id}/fork`, { json: { at: 0 } }))
  await over(engine, fork)

  const refused = async (response: Promise<Response>) => {
    const { status } = await response
    expect(status).toBe(422)
  }
  const before = adas.calls.length
  await refused(bob.call('/api/sessions', { json: mixed }))
  await ada.call(`/api/sessions/${id}/visibility`, { method: 'PUT', json: { visibility: 'team' } })
  await refused(bob.call(`/api/sessions/${id}/fork`, { json: {} }))
  await refused(bob.call(`/api/sessions/${id}/fork`, { json: { at: 0 } }))
  await refused(bob.call('/api/sessions', { json: { question: 'And then?', after: id } }))
  // A session that names it without asking this server belongs to who imports it.
  const document = await (await ada.call(`/api/sessions/${id}/export/json`)).text()
  const imported = await bob.call('/api/import', {
    method: 'POST',
    body: document,
    headers: { 'content-type': 'application/json' },
  })
  expect(imported.status).toBe(201)
  const copy = await opened(imported)
  const added = await bob.call(`/api/sessions/${copy}/rounds`, { json: {} })
  if (added.ok) await over(engine, copy)
  expect(adas.calls).toHaveLength(before)
}, 60_000)

test('[AC143] in a shared session the owner’s endpoint answers, others can seat no more of it, and not theirs', async () => {
  const { engine, adas, ada, bob } = await startRunning()
  await form(bob, '/account/endpoints', { id: 'bobs', address: adas.baseURL, key })
  const id = await opened(
    await ada.call('/api/sessions', { json: { ...mixed, protocol: 'roundtable', rounds: 1 } }),
  )
  await over(engine, id)
  await ada.call(`/api/sessions/${id}/visibility`, { method: 'PUT', json: { visibility: 'team' } })
  const seat = (visit: Visit, model: string) =>
    visit.call(`/api/sessions/${id}/seats/s2/replace`, { json: { seat: model } })
  for (const model of ['mine/c', 'bobs/c'])
    expect([model, (await seat(bob, model)).status]).toEqual([model, 422])
  const estimate = await bob.call(`/api/sessions/${id}/rounds/estimate`)
  expect([estimate.status, await estimate.text()]).toEqual([200, expect.any(String)])
  const before = adas.calls.length
  expect((await bob.call(`/api/sessions/${id}/rounds`, { json: {} })).status).toBe(202)
  await expect.poll(() => adas.calls.length).toBeGreaterThan(before)
  expect(JSON.stringify(await over(engine, id))).not.toContain(key)
}, 60_000)

test('[AC144] if the server gets an endpoint of that name later, the server’s counts', async () => {
  const [old, now] = [await labFor(), await labFor()]
  const team: Team = await startTeam({
    runs: false,
    accounts: { ...cheap, secret, privateEndpoints: true },
  })
  const ada = await team.comes('Ada', 'member')
  await form(ada, '/account/endpoints', { id: 'mine', address: old.baseURL, key: '' })
  const { ownEndpointsIn } = await import('../../src/accounts/people.ts')
  const endpoints = ownEndpointsIn(team.archive, secret, undefined)
  const { withOwnServers, ownServer } = await import('../../src/table/open-reach.ts')
  const servers = (await endpoints.open(ada.person.id)).map(one => ownServer(one, Date.now))
  const later = {
    ...team.reach,
    ...reachOf({ endpoints: [{ id: 'Mine', baseURL: now.baseURL }], env: {} }),
  }
  expect(withOwnServers(later, servers).providers).toEqual(later.providers)
  const withOwn = await ownProvidersWith(later, secret, true)(team.archive)(ada.person.id)
  const same = reachOf({ endpoints: [{ id: 'mine', baseURL: now.baseURL }], env: {} })
  expect(withOwn?.(same.providers).find(({ id }) => id === 'mine')).toBe(
    same.providers.find(({ id }) => id === 'mine'),
  )
})
