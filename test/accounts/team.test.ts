/** What admins see and do about people, over HTTP. Who else may not is in the matrix of all routes. */

import { expect, test } from 'vitest'
import type {
  AuditReply,
  InvitationsReply,
  InvitedReply,
  MembersReply,
  TeamKeysReply,
  TeamSpendingReply,
} from '../../src/api/table.ts'
import { shelve, startTeam, type Team, type Visit } from './people.ts'

const read = async <Reply>({ call }: Visit, path: string): Promise<Reply> => {
  const response = await call(`/api/team/${path}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Reply
}

const put = ({ call }: Visit, path: string, json: unknown): Promise<Response> =>
  call(`/api/team/${path}`, { method: 'PUT', json })

const remove = ({ call }: Visit, path: string): Promise<Response> =>
  call(`/api/team/${path}`, { method: 'DELETE' })

const statusOf = async ({ call }: Visit): Promise<number> => (await call('/api/sessions')).status

const auditOf = async (admin: Visit): Promise<string[]> =>
  (await read<AuditReply>(admin, 'audit')).entries.map(({ who, what, whose }) => `${who} ${what} ${whose}`)

const startTwo = async (): Promise<{ team: Team; ada: Visit; bob: Visit }> => {
  const team = await startTeam({ runs: false })
  return { team, ada: await team.comes('Ada', 'admin'), bob: await team.comes('Bob', 'member') }
}

test('[AC90] an admin sees everybody, with how they log in and when they last did', async () => {
  const { team, ada, bob } = await startTwo()
  await team.accounts.passwords.set(bob.person.id, 'correct horse battery')
  await team.archive.saveRecord('passkey', 'one', {}, bob.person.id)
  await team.accounts.signIns.endAll(bob.person.id)
  const { people } = await read<MembersReply>(ada, 'people')
  expect(people).toMatchObject([
    { name: 'Ada', role: 'admin', ways: [], signedIn: 1, disabled: false },
    { name: 'Bob', role: 'member', ways: ['password', 'passkey'], signedIn: 0, email: null },
  ])
  expect(Date.now() - Date.parse(people[1]!.lastSignIn!)).toBeLessThan(60_000)
})

test('[AC90] a role, a disabled account and a sign-out hold at once, and are in the audit log', async () => {
  const { team, ada, bob } = await startTwo()
  const at = `people/${bob.person.id}`
  const again = async (): Promise<Visit> => {
    const secret = await team.accounts.signIn(bob.person, '127.0.0.1', 'a test')
    const headers = { cookie: `roundtable-sign-in=${secret}` }
    return { ...bob, headers, call: (path, init = {}) => team.call(path, { ...init, headers }) }
  }
  expect((await put(ada, `${at}/role`, { role: 'viewer' })).status).toBe(204)
  expect(await statusOf(bob)).toBe(401)
  expect((await team.accounts.people.withId(bob.person.id))?.role).toBe('viewer')
  const second = await again()
  expect((await remove(ada, `${at}/sign-ins`)).status).toBe(204)
  expect(await statusOf(second)).toBe(401)
  const third = await again()
  expect((await put(ada, `${at}/disabled`, { disabled: true })).status).toBe(204)
  expect(await statusOf(third)).toBe(401)
  expect((await put(ada, `${at}/disabled`, { disabled: false })).status).toBe(204)
  expect(await statusOf(await again())).toBe(200)
  const said = (await auditOf(ada)).filter(line => line.startsWith('Ada ') && line.endsWith(' Bob'))
  expect(said.reverse()).toEqual([
    ...['Ada role-viewer Bob', 'Ada signed-out-everywhere Bob'],
    ...['Ada disabled Bob', 'Ada enabled Bob'],
  ])
  expect((await put(ada, 'people/nobody/role', { role: 'viewer' })).status).toBe(404)
  expect((await put(ada, `${at}/role`, { role: 'king' })).status).toBe(422)
})

test('[AC91] the only admin can’t be demoted or disabled, and the reply says what to do first', async () => {
  const { ada, bob } = await startTwo()
  const at = `people/${ada.person.id}`
  for (const reply of [
    await put(ada, `${at}/role`, { role: 'member' }),
    await put(ada, `${at}/disabled`, { disabled: true }),
  ])
    expect([reply.status, await reply.text()]).toEqual([409, expect.stringMatching(/somebody else an admin/)])
  expect(await statusOf(ada)).toBe(200)
  await put(ada, `people/${bob.person.id}/role`, { role: 'admin' })
  expect((await put(ada, `${at}/role`, { role: 'member' })).status).toBe(204)
})

test('[AC92] an admin invites by a link that is shown once, and revokes an invitation', async () => {
  const { team, ada } = await startTwo()
  const body = { role: 'viewer', name: 'Carl', email: 'carl@example.org' }
  const reply = await ada.call('/api/team/invitations', { method: 'POST', json: body })
  const { path } = (await reply.json()) as InvitedReply
  expect([reply.status, (await team.call(path)).status]).toEqual([201, 200])
  const { invitations } = await read<InvitationsReply>(ada, 'invitations')
  expect(invitations).toMatchObject([{ ...body, by: 'Ada' }])
  expect(JSON.stringify(invitations)).not.toContain(path.split('/').at(-1))
  expect((await remove(ada, `invitations/${invitations[0]!.id}`)).status).toBe(204)
  expect((await team.call(path)).status).toBe(404)
  expect((await auditOf(ada)).slice(0, 2)).toEqual(['Ada invitation-revoked null', 'Ada invited-viewer null'])
})

test('[AC160] the audit log says which of several, and what became of it', async () => {
  const { team, ada, bob } = await startTwo()
  await ada.call('/api/team/invitations', { method: 'POST', json: { role: 'member', name: 'Carl' } })
  await put(ada, `budgets/${bob.person.id}`, {
    day: { usd: null, tokens: 100 },
    month: { usd: 5, tokens: null },
  })
  await team.withKey(bob.person, 'read')
  const { keys } = await read<TeamKeysReply>(ada, 'keys')
  await remove(ada, `people/${bob.person.id}/keys/${keys[0]!.id}`)
  await shelve(team.archive, 'bobs', 'tides', { owner: bob.person.id, visibility: 'private' })
  const visibility = (to: string) =>
    bob.call('/api/sessions/bobs/visibility', { method: 'PUT', json: { visibility: to } })
  await visibility('team')
  await visibility('private')
  await bob.call('/api/sessions/bobs/share', { method: 'POST' })
  await bob.call('/api/sessions/bobs/share', { method: 'DELETE' })
  const { entries } = await read<AuditReply>(ada, 'audit')
  expect(entries.slice(0, 7).map(({ what, whose, detail }) => [what, whose, detail])).toEqual([
    ['link-revoked', 'bobs', null],
    ['link-made', 'bobs', null],
    ['made-private', 'bobs', null],
    ['shared-with-team', 'bobs', null],
    ['key-revoked', 'Bob', 'a test'],
    ['budget-changed', 'Bob', '100 tokens a day, $5 a month'],
    ['invited-member', null, 'Carl'],
  ])
})

test('[AC158] a person sees their budget on the account page, and an estimate says if it is too small', async () => {
  const { team, ada, bob } = await startTwo()
  const pageOf = async () => (await bob.call('/account', { headers: { accept: 'text/html' } })).text()
  const json = { question: 'Should we wait?', seats: ['lab/a', 'lab/b'], moderator: null }
  const notes = async () => {
    const reply = await bob.call('/api/estimate', { method: 'POST', json })
    return ((await reply.json()) as { notes: string[] }).notes.join(' ')
  }
  expect(await pageOf()).toContain('You may use: no limit. The team together: no limit.')
  expect(await notes()).not.toContain('budget')
  await team.archive.saveRecord('budget', bob.person.id, { day: { tokens: 100 } })
  expect(await pageOf()).toContain('You may use: 100 tokens a day.')
  expect(await notes()).toContain('This takes more than is left of your budget (100 tokens a day).')
  const today = new Date().toISOString().slice(0, 10)
  await team.archive.saveRecord('budget', bob.person.id, { day: { tokens: 1_000_000 } })
  await team.archive.saveRecord('budget', 'team', { month: { tokens: 500_000 } })
  expect(await notes()).not.toContain('budget')
  const used = { day: today, usd: 0.25, tokens: 499_999, calls: 3 }
  team.archive.spending = async () => [
    { payer: 'team', ...used },
    { payer: bob.person.id, ...used },
  ]
  expect(await pageOf()).toContain('You used $0.25, 499,999 tokens in 3 calls today')
  expect(await notes()).toContain('left of the team’s budget (500,000 tokens a month).')
  expect(await (await ada.call('/account')).text()).toContain('You used nothing this month.')
})

test('[AC159] a key is told what it may not do, and that it was revoked', async () => {
  const { team, ada, bob } = await startTwo()
  const key = await team.withKey(bob.person, 'read')
  const json = { question: 'Should we wait?', seats: ['lab/a'] }
  const refusal = async (visit: Visit, path: string, init?: object) =>
    ((await (await visit.call(path, init)).json()) as { detail: string }).detail
  expect(await refusal(key, '/api/sessions', { method: 'POST', json })).toBe(
    'This key may not ask questions or import sessions. Use a key with the scope “ask”.',
  )
  const admins = await team.withKey(ada.person, 'all')
  expect(await refusal(admins, '/api/team/people')).toContain('No key may: log in.')
  expect(await refusal(bob, '/api/team/people')).toMatch(
    /^Your account may not .* Ask an admin of this server\.$/,
  )
  await team.accounts.keys.revoke(bob.person.id, (await team.accounts.keys.of(bob.person.id))[0]!.id)
  expect(await refusal(key, '/api/sessions')).toMatch(
    /^This API key was revoked, has expired or never existed\. /,
  )
})

test('[AC93] an admin sees everybody’s keys without their secrets, and revokes one', async () => {
  const { team, ada, bob } = await startTwo()
  const key = await team.withKey(bob.person, 'read')
  expect(await statusOf(key)).toBe(200)
  const { keys } = await read<TeamKeysReply>(ada, 'keys')
  expect(keys).toMatchObject([{ name: 'Bob', label: 'a test', scope: 'read', used: expect.any(String) }])
  expect(JSON.stringify(keys)).not.toContain(key.headers.authorization!.slice('Bearer rt_'.length))
  expect((await remove(ada, `people/${ada.person.id}/keys/${keys[0]!.id}`)).status).toBe(204)
  expect(await statusOf(key)).toBe(200)
  expect((await remove(ada, `people/${bob.person.id}/keys/${keys[0]!.id}`)).status).toBe(204)
  expect(await statusOf(key)).toBe(401)
  expect((await auditOf(ada))[0]).toBe('Ada key-revoked Bob')
})

test('[AC94] what each asked and spent is counts and sums by day and month, and no word of a private session', async () => {
  const { team, ada, bob } = await startTwo()
  const { id } = bob.person
  const reply = await bob.call('/api/sessions', {
    method: 'POST',
    json: { question: 'Is the zeppelin safe?', seats: ['lab/a', 'lab/b'], moderator: null },
  })
  expect(reply.status).toBe(201)
  await shelve(team.archive, 'long-ago', 'tides', { owner: id, visibility: 'private' })
  const today = new Date().toISOString().slice(0, 10)
  const spent = { day: today, usd: 0.25, tokens: 1_500, calls: 3 }
  team.archive.spending = async () => [
    { payer: 'team', ...spent },
    { payer: id, ...spent },
  ]
  const text = JSON.stringify(await read(ada, 'spending'))
  expect(text).not.toMatch(/zeppelin|tides/)
  const { payers } = JSON.parse(text) as TeamSpendingReply
  const used = { usd: 0.25, tokens: 1_500, calls: 3, asked: 1 }
  expect(payers.map(({ name }) => name)).toEqual(['team', 'Ada', 'Bob'])
  expect(payers[2]).toMatchObject({ today: used, month: used, days: [{ day: today, ...used }] })
  expect(payers[1]).toMatchObject({ today: { usd: 0, calls: 0, asked: 0 }, days: [] })
  expect(payers[0]!.month).toEqual(used)
})

test('[AC95] an admin sets and ends the budget of a person and of the team', async () => {
  const { ada, bob } = await startTwo()
  const none = { usd: null, tokens: null }
  const budgetsOf = async () =>
    (await read<TeamSpendingReply>(ada, 'spending')).payers.map(({ budget }) => budget)
  const bobs = { day: { usd: 2.5, tokens: null }, month: { usd: null, tokens: 200_000 } }
  const teams = { day: none, month: { usd: 100, tokens: null } }
  expect((await put(ada, `budgets/${bob.person.id}`, bobs)).status).toBe(204)
  expect((await put(ada, 'budgets/team', teams)).status).toBe(204)
  expect(await budgetsOf()).toEqual([teams, { day: none, month: none }, bobs])
  await put(ada, 'budgets/team', { day: none, month: none })
  expect((await budgetsOf())[0]).toEqual({ day: none, month: none })
  expect((await put(ada, 'budgets/nobody', teams)).status).toBe(404)
  for (const usd of [-1, '5', 1e13])
    expect((await put(ada, 'budgets/team', { ...teams, day: { usd, tokens: null } })).status).toBe(422)
  expect((await auditOf(ada)).slice(0, 3)).toEqual([
    ...['Ada budget-changed team', 'Ada budget-changed team', 'Ada budget-changed Bob'],
  ])
})

test('[AC97] the audit log comes in pages, the newest first, with the names of people', async () => {
  const { team, ada } = await startTwo()
  for (const what of ['one', 'two', 'three'])
    await team.accounts.audit.add({ who: 'terminal', from: 'terminal' }, what)
  const first = await read<AuditReply>(ada, 'audit?limit=2')
  const second = await read<AuditReply>(ada, `audit?limit=2&before=${encodeURIComponent(first.next!)}`)
  expect(first.entries).toHaveLength(2)
  const all = [...first.entries, ...second.entries]
  expect(all.map(({ what }) => what)).toEqual(['three', 'two', 'one', 'signed-in'])
  expect(all.at(-1)).toMatchObject({ who: 'Bob', whose: 'Bob', from: '127.0.0.1' })
})

test.each([
  [90 * 86_400_000, 90 * 86_400],
  [undefined, null],
])('[AC98] an admin sees how long sessions are kept: %s ms', async (keepMs, keepSeconds) => {
  const team = await startTeam({ runs: false, ...(keepMs !== undefined && { keepMs }) })
  expect(await read(await team.comes('Ada', 'admin'), 'retention')).toEqual({ keepSeconds })
})

test('[AC99] everybody is told what their account may do: to the server, and to each session that they read', async () => {
  const { team, ada, bob } = await startTwo()
  const eve = await team.comes('Eve', 'viewer')
  const mayOf = async ({ call }: Visit) => ((await (await call('/api/me')).json()) as { may: string[] }).may
  expect(await mayOf(ada)).toEqual(expect.arrayContaining(['ask', 'manage-people', 'change-template']))
  expect(await mayOf(bob)).not.toContain('manage-people')
  expect(await mayOf(eve)).not.toContain('ask')
  await shelve(team.archive, 'shared', 'tides', { owner: bob.person.id, visibility: 'team' })
  const ownershipFor = async ({ call }: Visit) =>
    ((await (await call('/api/sessions/shared')).json()) as { ownership: unknown }).ownership
  expect(await ownershipFor(bob)).toMatchObject({ own: true, by: 'Bob', may: { length: 4 } })
  expect(await ownershipFor(eve)).toEqual({ own: false, visibility: 'team', by: 'Bob', may: [] })
  await shelve(team.archive, 'adas', 'tides', { owner: ada.person.id, visibility: 'team' })
  const listed = async ({ call }: Visit) =>
    ((await (await call('/api/sessions')).json()) as { sessions: { by?: string }[] }).sessions
  expect((await listed(eve)).map(({ by }) => by)).toEqual(['Bob', 'Ada'])
  expect((await listed(bob)).map(({ by }) => by)).toEqual([undefined, 'Ada'])
})
