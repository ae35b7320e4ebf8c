/** Two people on one server: neither sees anything of the other's private session, on any face. */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { exporterNamed } from '../../src/exports/index.ts'
import { createLog } from '../../src/http/log.ts'
import { startServer } from '../../src/main/app.ts'
import type { Archive } from '../../src/store/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { discussed } from '../contracts/store-archive-contract.ts'
import type { TestServer } from '../postgres-server.ts'
import { emptyConfig, testReach } from '../reach.ts'
import type { Setup } from '../server/setup.ts'
import { openStream } from '../server/stream.ts'
import { engineAt, finished, labFor, newServer, withoutPostgres } from '../worker/setting.ts'
import { expectHidden, expectShown } from './faces.ts'
import { accountsOf, cheap, cookieOf, shelve, startTeam, type Visit, visitOf } from './people.ts'

const privately = ({ person }: Visit) => ({ owner: person.id, visibility: 'private' as const })

const statsOf = async (visit: Visit): Promise<string> => (await visit.call('/api/stats')).text()

test('[AC14] neither sees the other’s private session on any face, and both see the team’s', async () => {
  const team = await startTeam({ runs: false })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'admin')]
  await shelve(team.archive, 'of-ada', 'zephyrous', privately(ada))
  await shelve(team.archive, 'of-bob', 'quixotry', privately(bob))
  await shelve(team.archive, 'of-team', 'marmalade')
  await expectShown(ada, team.address, 'of-ada', 'zephyrous')
  await expectHidden(bob, team.address, 'of-ada', 'zephyrous')
  await expectHidden(ada, team.address, 'of-bob', 'quixotry')
  for (const visit of [ada, bob]) await expectShown(visit, team.address, 'of-team', 'marmalade')
}, 60_000)

test('[AC14] statistics count what a person may see, also if two people ask at once', async () => {
  // So slow that the second request comes while the first is answered.
  const whole = memoryStore()
  const archive: Archive = { ...whole, find: (...given) => sleep(200).then(() => whole.find(...given)) }
  const team = await startTeam({ runs: false, archive })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  await shelve(team.archive, 'of-ada', 'zephyrous', privately(ada))
  const [mine, theirs] = await Promise.all([statsOf(ada), statsOf(bob)])
  expect(mine).toContain('lab/one')
  expect(theirs).not.toContain('lab/one')
  expect(await statsOf(bob)).not.toContain('lab/one')
})

test('[AC15] what a person opens is theirs and private, until they share it with the team', async () => {
  const team = await startTeam({ runs: false })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  const question = { question: 'Why tides?', seats: ['lab/a', 'lab/b'], protocol: 'poll', moderator: null }
  const reply = await ada.call('/api/sessions', { json: question })
  const { id } = (await reply.json()) as { id: string }
  expect(await team.archive.filing(id)).toMatchObject({ owner: ada.person.id, visibility: 'private' })
  expect((await bob.call(`/api/sessions/${id}`)).status).toBe(404)
  const share = (visit: Visit, visibility: string) =>
    visit.call(`/api/sessions/${id}/visibility`, { method: 'PUT', json: { visibility } })
  expect((await share(bob, 'team')).status).toBe(404)
  expect((await share(ada, 'team')).status).toBe(204)
  const seen = (await (await bob.call(`/api/sessions/${id}`)).json()) as object
  expect(seen).toMatchObject({ ownership: { own: false, visibility: 'team' } })
  expect((await share(bob, 'private')).status).toBe(403)
  expect((await share(ada, 'private')).status).toBe(204)
  expect((await bob.call(`/api/sessions/${id}`)).status).toBe(404)
})

test('[AC16] the same Idempotency-Key or chat of two people opens a session for each', async () => {
  const team = await startTeam({ config: { seats: ['lab/a', 'lab/b'], protocol: 'poll' } })
  const visits = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  for (const visit of visits) {
    const headers = { 'idempotency-key': 'one' }
    expect((await visit.call('/api/sessions', { json: { question: 'Why?' }, headers })).status).toBe(201)
    const messages = [{ role: 'user', content: 'Why?' }]
    const chat = await visit.call('/v1/chat/completions', { json: { model: 'roundtable', messages } })
    expect(chat.status).toBe(200)
  }
  for (const { person } of visits)
    expect((await team.archive.find({ viewer: person.id })).sessions).toHaveLength(2)
})

test('[AC17] a stream ends when the session becomes private, and when the sign-in ends', async () => {
  const team = await startTeam({ runs: false, heartbeatMs: 50 })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  await shelve(team.archive, 'shared', 'marmalade', { owner: ada.person.id, visibility: 'team' })
  const watch = (visit: Visit) =>
    openStream(`${team.address}/api/sessions/shared/events`, { ...visit.headers })
  const first = await watch(bob)
  await first.until(messages => messages.length > 0)
  await ada.call('/api/sessions/shared/visibility', { method: 'PUT', json: { visibility: 'private' } })
  await first.ended
  expect((await watch(bob)).status).toBe(404)
  const [mine, by] = [await watch(ada), await watch(await team.withKey(ada.person, 'read'))]
  await team.accounts.signOutEverywhere(ada.person, { who: ada.person.id, from: 'a test' })
  await mine.ended
  await by.beats(2)
  await team.accounts.keys.revokeAll(ada.person.id)
  await by.ended
})

test('[AC40] writes are limited by person, not by the address that they share', async () => {
  const team = await startTeam({ runs: false, limits: { writesPerMinute: 3 } })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  const write = async ({ call }: Visit) => (await call('/api/estimate', { json: {} })).status
  expect([await write(ada), await write(ada), await write(ada), await write(ada)]).toEqual([
    422, 422, 422, 429,
  ])
  expect(await write(bob)).toBe(422)
})

test('[AC41] an import says nothing about another’s session with the same id, and is one’s own', async () => {
  const team = await startTeam({ runs: false })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  await shelve(team.archive, 'of-ada', 'zephyrous', privately(ada))
  const send = async (id: string) => {
    const file = exporterNamed('json').write(discussed(id, 'Mine?', 'So', 'Sum'))
    const reply = await bob.call('/api/import', { method: 'POST', body: file })
    return { status: reply.status, text: (await reply.text()).replaceAll(/of-\w+-[0-9a-f]{8}/g, 'it') }
  }
  expect(await send('of-ada')).toEqual(await send('of-eve'))
  expect(await send('of-ada')).toMatchObject({ status: 409 })
  const { sessions } = await team.archive.find({ viewer: bob.person.id })
  expect(sessions.map(({ owner, visibility }) => [owner, visibility])).toEqual([
    [bob.person.id, 'private'],
    [bob.person.id, 'private'],
  ])
})

test('[AC18] who may only read a session gets neither its link nor the links of its seats', async () => {
  const team = await startTeam({ runs: false })
  const [ada, eve] = [await team.comes('Ada', 'member'), await team.comes('Eve', 'viewer')]
  const question = {
    question: 'Why?',
    seats: ['lab/a'],
    people: ['Grace'],
    protocol: 'poll',
    moderator: null,
  }
  const reply = await ada.call('/api/sessions', { json: question })
  const { id, people } = (await reply.json()) as { id: string; people: { path: string }[] }
  const { path } = (await (await ada.call(`/api/sessions/${id}/share`, { json: {} })).json()) as {
    path: string
  }
  await ada.call(`/api/sessions/${id}/visibility`, { method: 'PUT', json: { visibility: 'team' } })
  const shown = await (await ada.call(`/api/sessions/${id}`)).text()
  expect(shown).toContain(path)
  expect(shown).toContain(people[0]!.path)
  const read = await (await eve.call(`/api/sessions/${id}`)).text()
  expect(read).not.toContain(path)
  expect(read).not.toContain(people[0]!.path)
  // The link itself opens the session to whoever has it, logged in or not.
  for (const call of [team.call, eve.call]) expect((await call(`/api${path}`)).status).toBe(200)
})

describe.skipIf(withoutPostgres !== '')(`on a Postgres server with two workers${withoutPostgres}`, () => {
  let postgres: TestServer | undefined
  beforeAll(async () => {
    postgres = await newServer()
  }, 60_000)
  afterAll(() => postgres?.stop(), 30_000)

  test('[AC14] neither sees the other’s private session through either process, before and after a restart', async () => {
    const lab = await labFor()
    const address = await postgres!.newDatabase()
    const open = async () => {
      const engine = await engineAt({ address }, lab)
      const endpoint = { id: 'lab', baseURL: lab.baseURL, keyEnv: '', from: 'ROUNDTABLE_ENDPOINTS' } as const
      const reach = testReach({ ...emptyConfig('/nowhere'), endpoints: [endpoint] })
      const log = createLog(false, { write: () => {} })
      const server = await startServer({ engine, reach, log, pages: '/nowhere', accounts: cheap })
      onTestFinished(() => server.close())
      const call: Setup['call'] = (path, { json, ...init } = {}) =>
        fetch(`${server.address}${path}`, {
          ...init,
          ...(json !== undefined && {
            method: 'POST',
            body: JSON.stringify(json),
            headers: { 'content-type': 'application/json', ...init.headers },
          }),
        })
      return { engine, server, call, address: server.address }
    }
    const [one, other] = [await open(), await open()]
    const secrets = new Map<string, string>()
    const comes = async (archive: Archive, name: string) => {
      const accounts = accountsOf(archive)
      const person = await accounts.people.add({ name, role: 'member' })
      secrets.set(name, await accounts.signIn(person, '127.0.0.1', 'a test'))
      return person
    }
    const [ada, bob] = [await comes(one.engine.archive, 'Ada'), await comes(one.engine.archive, 'Bob')]
    const at = (server: { call: Setup['call'] }, person: typeof ada): Visit =>
      visitOf(server, person, cookieOf(secrets.get(person.name)!))
    const question = { question: 'What about zephyrous tides?', format: 'choice', options: ['Yes', 'No'] }
    const table = { seats: ['lab/a', 'lab/b'], protocol: 'poll', moderator: null }
    const reply = await at(one, ada).call('/api/sessions', { json: { ...question, ...table } })
    const { id } = (await reply.json()) as { id: string }
    await finished(other.engine, id)
    const check = async (...servers: readonly (typeof one)[]): Promise<void> => {
      for (const server of servers) {
        await expectShown(at(server, ada), server.address, id, 'zephyrous')
        await expectHidden(at(server, bob), server.address, id, 'zephyrous')
        expect(await statsOf(at(server, ada))).toContain('lab/a')
        expect(await statsOf(at(server, bob))).not.toContain('lab/a')
      }
    }
    await check(one, other)
    for (const { server, engine } of [one, other]) {
      await server.close()
      await engine.close()
    }
    const [third, fourth] = [await open(), await open()]
    await check(third, fourth)
    await vi.waitFor(async () =>
      expect(await third.engine.archive.filing(id)).toMatchObject({ owner: ada.id }),
    )
  }, 120_000)
})
