/** Every route and every tool, for every role, to one's own, the team's and another's private session: as the table says. */

import { expect, test } from 'vitest'
import { routeActions, toolActions } from '../../src/accounts/guard.ts'
import {
  type Action,
  everyAction,
  everyWhose,
  may,
  usualTarget,
  type Whose,
} from '../../src/accounts/permissions.ts'
import { roles } from '../../src/accounts/person.ts'
import type { SavedKind } from '../../src/accounts/scoped.ts'
import type { Service } from '../../src/http/service.ts'
import { createApp } from '../../src/main/app.ts'
import type { Json, Ownership } from '../../src/store/archive.ts'
import { saveTemplate } from '../../src/table/templates.ts'
import { callTool, cheap, mcpClient, shelve, startTeam, type Team, type Visit } from './people.ts'

/** All routes of a server with accounts. They are only listed, so what they work with need not be there. */
const allRoutes = (): string[] => {
  const nothing = new Proxy({}, { get: () => () => ({}) })
  const service = { limits: {}, clock: Date.now, engine: nothing, streams: nothing, reach: {}, log: nothing }
  const app = createApp({ ...service, accounts: nothing } as unknown as Service, undefined, '/nowhere')
  return [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))]
}

/** A server that has every route: a provider is configured, though nobody answers there, and a secret. */
const everyRoute = {
  runs: false,
  limits: { writesPerMinute: 100_000 },
  accounts: {
    ...cheap,
    oidc: { issuer: new URL('http://127.0.0.1:9'), clientId: 'us', name: 'the provider', domains: [] },
    secret: Buffer.alloc(32),
  },
} as const

/** Stands before every route and answers nothing. */
const guards = ['ALL /*', 'ALL /api/*', 'ALL /api/seat/:token/*']

const isAboutSession = (route: string): boolean => / \/(api\/sessions|v1\/responses)\/:id/.test(route)

const parts: Readonly<Record<string, string>> = {
  ':seat': 's1',
  ':format': 'markdown',
  ':sha256': 'ab'.repeat(32),
  ':name{.+}': 'roundtable',
  ':name': 'duo',
  ':token': 'x'.repeat(43),
  ':exhibit': '1',
  ':id': 'openai',
  ':key': 'nothing',
}

/** The path of a route, about a session or about nothing in particular. */
const pathOf = (route: string, session: string): string => {
  const path = route.split(' ')[1]!.replace('*', 'nothing')
  const id = route.includes('/v1/responses/') ? `resp_${session}` : session
  const named = { ...(isAboutSession(route) && { ':id': id }), ...(savedKind(route) && { ':name': session }) }
  return path
    .split('/')
    .map(part => ({ ...parts, ...named })[part] ?? part)
    .join('/')
}

/** What is saved under a name is somebody's too, and these delete it. */
const savedKinds = {
  'DELETE /api/lineups/:name': 'lineup',
  'DELETE /api/templates/:name': 'template',
} as const
const savedKind = (route: string): SavedKind | undefined => savedKinds[route as keyof typeof savedKinds]

/** Saved by somebody under a name of its own. */
const savedBy = async ({ archive, reach }: Team, kind: SavedKind, whose: Whose, { person }: Visit) => {
  const name = `case ${made++}`
  const value = kind === 'lineup' ? ['lab/a'] : { question: 'Why?' }
  const owner = whose === 'own' ? person.id : 'somebody'
  if (whose !== 'team') await archive.saveRecord(kind, `${owner} ${name}`, value, owner)
  else if (kind === 'lineup') await archive.saveLineup(name, value as Json)
  else saveTemplate(reach.config.data, name, value)
  return name
}

let made = 0
/** A new session for each case, because some cases delete it. */
const sessionOf = async ({ archive }: Team, whose: Whose, { person }: Visit): Promise<string> => {
  const id = `case-${made++}`
  const owners: Record<Whose, Ownership> = {
    own: { owner: person.id, visibility: 'private' },
    team: { owner: 'somebody', visibility: 'team' },
    private: { owner: 'somebody', visibility: 'private' },
  }
  await shelve(archive, id, 'tides', owners[whose])
  return id
}

const send = async (visit: Visit, route: string, session: string) => {
  const method = route.split(' ')[0]!.replace('ALL', 'POST')
  const hasBody = method === 'POST' || method === 'PUT'
  const response = await visit.call(pathOf(route, session), {
    method,
    redirect: 'manual',
    ...(hasBody && { body: '{}', headers: { 'content-type': 'application/json' } }),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  return { status: response.status, text }
}

type Verdict = 'done' | 'forbidden' | 'unknown'

/** Anything that isn't a refusal of the guards counts as done: what is wrong with an empty body is said by the route. */
const verdictOf = ({ status, text }: { status: number; text: string }, session: string): Verdict => {
  expect(status, text).toBeLessThan(500)
  if (text.includes(`There is no session \\"${session}\\"`)) return 'unknown'
  if (/There is no saved (line-up|template) /.test(text)) return 'unknown'
  // A route may have reasons of its own, such as a configuration that is fixed.
  return /(Your account|This key) may not/.test(text) ? 'forbidden' : 'done'
}

const expected = (role: Visit['person']['role'], action: Action, whose: Whose): Verdict => {
  if (whose === 'private') return 'unknown'
  return may(role, action, whose) ? 'done' : 'forbidden'
}

test('[AC10] every route has an entry in the table, and no entry is without a route', () => {
  const listed = Object.keys(routeActions)
  expect(allRoutes().filter(route => !guards.includes(route) && !listed.includes(route))).toEqual([])
  // Without built pages there is no /assets, no page of a shared link and no index.
  const built = ['GET /assets/*', 'GET /shared/:token', 'GET /*']
  expect(listed.filter(route => !allRoutes().includes(route) && !built.includes(route))).toEqual([])
})

test('[AC11] every route allows each role what the table says, to own, team’s and another’s private session', async () => {
  const team = await startTeam(everyRoute)
  let cases = 0
  for (const role of roles) {
    const visit = await team.comes(`the ${role}`, role)
    for (const [route, action] of Object.entries(routeActions)) {
      if (
        action === 'open' ||
        guards.includes(route) ||
        route.endsWith(' /sign-out') ||
        route.endsWith('/sign-out-everywhere') ||
        route.endsWith('/password')
      )
        continue
      const [about, kind] = [isAboutSession(route), savedKind(route)]
      for (const whose of about || kind ? everyWhose : [usualTarget(action)]) {
        const session = kind
          ? await savedBy(team, kind, whose, visit)
          : about
            ? await sessionOf(team, whose, visit)
            : 'none'
        const reply = await send(visit, route, session)
        const what = `${role}: ${route} (${whose}): ${reply.status} ${reply.text.slice(0, 200)}`
        expect(verdictOf(reply, session), what).toBe(
          kind && !may(role, action, 'own') ? 'forbidden' : expected(role, action, whose),
        )
        cases++
      }
    }
  }
  console.info(`${cases} cases of routes`)
  expect(cases).toBeGreaterThan(350)
}, 120_000)

test('[AC12] nobody gets anything without logging in but what is open to everybody', async () => {
  const team = await startTeam(everyRoute)
  const stranger: Visit = {
    person: { id: '', name: '', role: 'viewer', since: '' },
    headers: {},
    call: team.call,
  }
  for (const [route, action] of Object.entries(routeActions)) {
    if (guards.includes(route)) continue
    const { status, text } = await send(stranger, route, await sessionOf(team, 'team', stranger))
    const isRefused = status === 401 && text.includes('Log in at /sign-in, or send an API key')
    expect([route, isRefused]).toEqual([route, action !== 'open'])
  }
})

test('[AC11] every tool allows each role what the table says, and has an entry in it', async () => {
  const team = await startTeam({ runs: false })
  let cases = 0
  for (const role of roles) {
    const visit = await team.comes(`the ${role}`, role)
    const { tools } = await (await mcpClient(team.address, visit.headers)).listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(toolActions).sort())
    for (const [name, { action, session: about }] of Object.entries(toolActions)) {
      for (const whose of about ? everyWhose : [usualTarget(action)]) {
        const id = about ? await sessionOf(team, whose, visit) : ''
        const given = { ask_table: { question: 'Why?', wait: 0.1 }, take_seat: { id, round: 0, answer: {} } }
        const reply = await callTool(
          team.address,
          visit.headers,
          name,
          given[name as keyof typeof given] ?? { id },
        )
        const text = reply.content.map(part => part.text).join('')
        const said = text.includes(`There is no session "${id}"`) ? 'unknown' : 'done'
        const verdict = /^(Your account|This key) may not/.test(text) ? 'forbidden' : said
        expect(verdict, `${role}: ${name} (${whose}): ${text}`).toBe(expected(role, action, whose))
        cases++
      }
    }
  }
  console.info(`${cases} cases of tools`)
}, 60_000)

test('[AC13] a key does no more than its scope, whatever the role, and nothing about accounts', async () => {
  const team = await startTeam(everyRoute)
  const { person } = await team.comes('Ada', 'admin')
  for (const scope of ['read', 'ask', 'all'] as const) {
    const visit = await team.withKey(person, scope)
    for (const [route, action] of Object.entries(routeActions)) {
      if (action === 'open' || guards.includes(route)) continue
      const kind = savedKind(route)
      const session = await (kind ? savedBy(team, kind, 'own', visit) : sessionOf(team, 'own', visit))
      const whose = isAboutSession(route) ? 'own' : usualTarget(action)
      const verdict = verdictOf(await send(visit, route, session), session)
      expect([scope, route, verdict]).toEqual([
        scope,
        route,
        may('admin', action, whose, scope) ? 'done' : 'forbidden',
      ])
    }
  }
  // Said once more without the table, which could itself be wrong.
  const byScope = (action: Action) =>
    (['read', 'ask', 'all'] as const).map(one => may('admin', action, 'team', one))
  expect(byScope('read-session')).toEqual([true, true, true])
  expect(byScope('ask')).toEqual([false, true, true])
  expect(byScope('delete-session')).toEqual([false, false, true])
  expect(byScope('manage-people')).toEqual([false, false, false])
}, 60_000)

test('[AC11] the table says of some things what nobody would change by mistake', () => {
  for (const role of roles)
    for (const action of everyAction) expect(may(role, action, 'private'), `${role} ${action}`).toBe(false)
  const rows = (action: Action, whose: Whose) => roles.map(role => may(role, action, whose))
  expect(rows('read-session', 'team')).toEqual([true, true, true])
  expect(rows('change-session', 'team')).toEqual([true, true, false])
  expect(rows('delete-session', 'team')).toEqual([true, false, false])
  expect(rows('share-session', 'team')).toEqual([true, false, false])
  for (const action of ['change-settings', 'manage-people', 'read-metrics'] as const)
    expect(rows(action, 'team')).toEqual([true, false, false])
  expect(rows('ask', 'team')).toEqual([true, true, false])
  for (const action of ['change-lineup', 'change-template'] as const) {
    expect(rows(action, 'own')).toEqual([true, true, false])
    expect(rows(action, 'team')).toEqual([true, false, false])
  }
})
