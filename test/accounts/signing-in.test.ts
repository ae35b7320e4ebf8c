/** Logging in and out, invitations and keys, over HTTP as a browser and a program would. */

import { expect, test } from 'vitest'
import { atTerminal, invitationPath } from '../../src/accounts/people.ts'
import { startTeam, type Team, type Visit, visitOf } from './people.ts'

const day = 86_400_000
const password = 'correct horse battery'

const send = ({ call }: Pick<Team, 'call'>, path: string, fields: Record<string, string>, headers = {}) =>
  call(path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers })

const cookieIn = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''

/** Accepts an invitation of this role, and returns the person with the cookie of their browser. */
const accept = async (team: Team, name: string, role: 'admin' | 'member' = 'member'): Promise<Visit> => {
  const secret = await team.accounts.invitations.make({ role, by: 'terminal' })
  const reply = await send(team, invitationPath(secret), { name, password })
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/'])
  return visitOf(team, await team.accounts.people.known(name), { cookie: cookieIn(reply) })
}

const signIn = (team: Team, name: string, word = password, to = '/s/one') =>
  send(team, '/sign-in', { name, password: word, to })

const statusOf = async ({ call }: Visit): Promise<number> => (await call('/api/sessions')).status

test('[AC19] an invitation makes one account with its role, and then a name and password log in', async () => {
  const team = await startTeam({ runs: false })
  const ada = await accept(team, 'Ada')
  expect(ada.person.role).toBe('member')
  expect(await statusOf(ada)).toBe(200)
  const reply = await signIn(team, 'ADA')
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/s/one'])
  expect(reply.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Lax/i)
  expect(await statusOf(visitOf(team, ada.person, { cookie: cookieIn(reply) }))).toBe(200)
  const me = await (await ada.call('/api/me')).json()
  expect(me).toMatchObject({ person: { id: ada.person.id, name: 'Ada', role: 'member' } })
})

test('[AC20] [H240] a wrong password and an unknown name get the same words, and guesses are limited', async () => {
  const team = await startTeam({ runs: false })
  await accept(team, 'Ada')
  const [wrong, unknown] = [await signIn(team, 'Ada', 'not this one at all'), await signIn(team, 'Nobody')]
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(await wrong.text()).toBe(await unknown.text())
  expect(wrong.headers.get('set-cookie')).toBeNull()
  for (let guess = 0; guess < 40; guess++) await (await signIn(team, 'Ada', 'not this one at all')).text()
  const refused = await signIn(team, 'Ada', 'not this one at all')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  expect(await refused.text()).toContain('role="alert"')
})

test('[AC21] an invitation works once, even if it is used twice at once, and not once it is revoked or a week old', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const team = await startTeam({ runs: false, clock: () => now })
  const make = () => team.accounts.invitations.make({ role: 'member', by: 'terminal' })
  const use = (secret: string, name: string) => send(team, invitationPath(secret), { name, password })
  const once = await make()
  const both = await Promise.all([use(once, 'Ada'), use(once, 'Bob')])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404])
  expect(await team.accounts.people.list()).toHaveLength(1)
  const revoked = await make()
  const [invitation] = await team.accounts.invitations.list()
  expect(await team.accounts.invitations.revoke(invitation!.id)).toBe(true)
  expect((await use(revoked, 'Carl')).status).toBe(404)
  const late = await make()
  now += 7 * day
  expect((await team.call(invitationPath(late))).status).toBe(404)
  expect((await use(late, 'Dora')).status).toBe(404)
  expect(await team.accounts.people.list()).toHaveLength(1)
})

test('[AC22] a taken name or a short password says so, and the invitation can still be used', async () => {
  const team = await startTeam({ runs: false })
  await accept(team, 'Ada')
  const secret = await team.accounts.invitations.make({ role: 'viewer', by: 'terminal' })
  const taken = await send(team, invitationPath(secret), { name: ' aDA', password })
  expect([taken.status, await taken.text()]).toEqual([422, expect.stringContaining('is taken')])
  const short = await send(team, invitationPath(secret), { name: 'Bob', password: 'short' })
  expect([short.status, await short.text()]).toEqual([422, expect.stringContaining('12 to 500 characters')])
  expect((await send(team, invitationPath(secret), { name: 'Bob', password })).status).toBe(303)
})

test('[AC23] a sign-in ends after 30 days, by logging out here or everywhere, and by a change of role or password', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const team = await startTeam({ runs: false, clock: () => now })
  const ada = await accept(team, 'Ada', 'admin')
  const bob = await accept(team, 'Bob')
  const again = async (): Promise<Visit> =>
    visitOf(team, bob.person, { cookie: cookieIn(await signIn(team, 'Bob')) })

  const [one, two] = [await again(), await again()]
  await one.call('/sign-out', { method: 'POST', redirect: 'manual' })
  expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
  await two.call('/account/sign-out-everywhere', { method: 'POST', redirect: 'manual' })
  expect([await statusOf(two), await statusOf(bob), await statusOf(ada)]).toEqual([401, 401, 200])

  const before = await again()
  await team.accounts.changeRole(bob.person, 'viewer', atTerminal)
  expect(await statusOf(before)).toBe(401)

  const here = await again()
  const elsewhere = await again()
  const changed = await send(here, '/account/password', { old: password, password: 'another horse battery' })
  expect(changed.status).toBe(303)
  expect([await statusOf(here), await statusOf(elsewhere)]).toEqual([401, 401])
  expect(await statusOf(visitOf(team, bob.person, { cookie: cookieIn(changed) }))).toBe(200)
  expect((await signIn(team, 'Bob')).status).toBe(401)

  now += 29 * day
  expect(await statusOf(ada)).toBe(200)
  now += day
  expect(await statusOf(ada)).toBe(401)
})

test('[AC24] somebody who is disabled is out at once, with their keys, and the last admin stays', async () => {
  const team = await startTeam({ runs: false })
  const [ada, bob] = [await accept(team, 'Ada', 'admin'), await accept(team, 'Bob')]
  const program = await team.withKey(bob.person, 'read')
  expect([await statusOf(bob), await statusOf(program)]).toEqual([200, 200])
  await team.accounts.disable(bob.person, atTerminal)
  expect([await statusOf(bob), await statusOf(program)]).toEqual([401, 401])
  expect((await signIn(team, 'Bob')).status).toBe(401)
  await expect(team.accounts.disable(ada.person, atTerminal)).rejects.toThrow('the only admin')
  await expect(team.accounts.changeRole(ada.person, 'member', atTerminal)).rejects.toThrow('the only admin')
})

test('[AC25] a key is made on the account page, shown once, and works until it expires or is revoked', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const team = await startTeam({ runs: false, clock: () => now })
  const ada = await accept(team, 'Ada')
  const made = await send(ada, '/account/keys', { label: 'backup job', scope: 'read', days: '10' })
  const key = /rt_[\w-]{43}/.exec(await made.text())![0]
  const program = visitOf(team, ada.person, { authorization: `Bearer ${key}` })
  expect(await statusOf(program)).toBe(200)
  expect((await program.call('/api/sessions', { json: { question: 'Why?' } })).status).toBe(403)
  const page = await (await ada.call('/account')).text()
  expect(page).toContain('backup job')
  expect(page).toContain('last used Mar 1, 2026')
  expect(page).not.toContain(key)
  const [stored] = await team.archive.records('api-key')
  expect(JSON.stringify(stored)).not.toContain(key)
  expect((await program.call('/account')).status).toBe(403)
  now += 10 * day
  expect(await statusOf(program)).toBe(401)

  const second = await team.withKey(ada.person, 'all')
  const [listed] = await team.accounts.keys.of(ada.person.id)
  const bob = await accept(team, 'Bob')
  await send(bob, '/account/keys/revoke', { id: listed!.id })
  expect(await statusOf(second)).toBe(200)
  await send(ada, '/account/keys/revoke', { id: listed!.id })
  expect(await statusOf(second)).toBe(401)
})

test('[AC26] the audit log says who did what, when and from where, and never a secret', async () => {
  const team = await startTeam({ runs: false })
  const ada = await accept(team, 'Ada', 'admin')
  await (await signIn(team, 'Ada', 'not this one at all')).text()
  await team.withKey(ada.person, 'all')
  const reply = await ada.call('/api/sessions', {
    json: { question: 'A secret question?', seats: ['lab/a'] },
  })
  const { id } = (await reply.json()) as { id: string }
  expect((await ada.call(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
  const { entries } = await team.accounts.audit.page(50)
  expect(entries.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['invitation-accepted', 'signed-in', 'sign-in-failed', 'delete-session']),
  )
  expect(entries[0]).toMatchObject({
    what: 'delete-session',
    who: ada.person.id,
    whose: id,
    from: '127.0.0.1',
  })
  const all = JSON.stringify(await team.archive.records('audit'))
  for (const secret of [password, 'A secret question', ada.headers.cookie!.split('=')[1]!])
    expect(all).not.toContain(secret)
  expect(team.log()).not.toContain(ada.headers.cookie!.split('=')[1]!)
})

test('[AC27] a form of another site logs nobody in, and does nothing to an account', async () => {
  const team = await startTeam({ runs: false })
  const ada = await accept(team, 'Ada')
  const strangers = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
  for (const headers of strangers) {
    expect((await send(team, '/sign-in', { name: 'Ada', password }, headers)).status).toBe(403)
    expect((await send(ada, '/account/keys', { label: 'x', scope: 'all', days: '9' }, headers)).status).toBe(
      403,
    )
    expect((await send(ada, '/sign-out', {}, headers)).status).toBe(403)
  }
  expect(await team.accounts.keys.of(ada.person.id)).toEqual([])
  expect(await statusOf(ada)).toBe(200)
})

test('[AC28] a browser without a sign-in is sent to the form and back, and only to this server', async () => {
  const team = await startTeam({ runs: false })
  await accept(team, 'Ada')
  const visit = await team.call('/s/some?x=1', { redirect: 'manual', headers: { accept: 'text/html' } })
  expect(visit.headers.get('location')).toBe('/sign-in?to=%2Fs%2Fsome%3Fx%3D1')
  const old = await team.call('/login?to=/s/some', { redirect: 'manual' })
  expect(old.headers.get('location')).toBe('/sign-in?to=%2Fs%2Fsome')
  for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
    expect((await signIn(team, 'Ada', password, to)).headers.get('location')).toBe('/')
})
