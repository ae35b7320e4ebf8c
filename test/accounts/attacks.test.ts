/** What hostile people try: to get in, to stay in, and to stay what they were. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { atTerminal } from '../../src/accounts/people.ts'
import { nameKey } from '../../src/accounts/person.ts'
import type { Archive } from '../../src/store/archive.ts'
import { restoreFrom } from '../../src/store/backup.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { accountsOf, startTeam, type Visit, visitOf } from './people.ts'

const password = 'correct horse battery'
const newPassword = 'another horse battery'
const here = { account: 'ada', address: 'here' }

/** An archive where something happens once, right before a record of some kind is saved. */
const hooked = () => {
  const archive = memoryStore()
  const before: { [kind: string]: () => Promise<void> } = {}
  const watched: Archive = {
    ...archive,
    async saveRecord(kind, key, value, owner) {
      const hook = before[kind]
      delete before[kind]
      await hook?.()
      return archive.saveRecord(kind, key, value, owner)
    },
  }
  return { archive, watched, before }
}

const send = ({ call }: Pick<Visit, 'call'>, path: string, fields: Record<string, string>) =>
  call(path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

const statusOf = async ({ call }: Visit): Promise<number> => (await call('/api/sessions')).status

test('[AC130] somebody who is disabled or demoted while they change their password stays so', async () => {
  const { archive, watched, before } = hooked()
  const team = await startTeam({ runs: false, archive: watched })
  const accounts = accountsOf(archive)
  await team.comes('Ada', 'admin')
  const eve = await team.comes('Eve', 'admin')
  before.password = async () => {
    await accounts.changeRole(eve.person, 'viewer', atTerminal)
    await accounts.disable(eve.person, atTerminal)
  }
  await send(eve, '/account/password', { password })
  expect(await accounts.people.withId(eve.person.id)).toMatchObject({ role: 'viewer', disabled: true })
})

test('[AC130] a role and a disabled account that are changed at once both hold', async () => {
  const accounts = accountsOf(memoryStore())
  await accounts.people.add({ name: 'Ada', role: 'admin' })
  const eve = await accounts.people.add({ name: 'Eve', role: 'member' })
  await accounts.disable(eve, atTerminal)
  // As somebody does who read her account before.
  await accounts.changeRole(eve, 'viewer', atTerminal)
  expect(await accounts.people.withId(eve.id)).toMatchObject({ role: 'viewer', disabled: true })
})

test('[AC131] a sign-in with the old password, under way while it changes, doesn’t outlast it', async () => {
  const { archive, watched, before } = hooked()
  const team = await startTeam({ runs: false, archive: watched })
  const accounts = accountsOf(archive)
  const { person } = await team.comes('Ada', 'member')
  await accounts.passwords.set(person.id, password)
  before['sign-in'] = () => accounts.changePassword(person, newPassword, atTerminal)
  const reply = await send(team, '/sign-in', { name: 'Ada', password })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await statusOf(visitOf(team, person, { cookie }))).toBe(401)
  expect(await accounts.signIns.of(person.id)).toEqual([])
  expect((await send(team, '/sign-in', { name: 'Ada', password: newPassword })).status).toBe(303)
})

test('[AC132] an invitation is still good if the server is too busy to hash the password', async () => {
  const accounts = accountsOf(memoryStore())
  const secret = await accounts.invitations.make({ role: 'member', by: 'terminal' })
  const guesses = Array.from({ length: 5 }, () => accounts.passwords.prepared(password, 'here'))
  await expect(accounts.accept(secret, 'Ada', password, 'here')).rejects.toThrow('Too many people')
  await Promise.all(guesses)
  expect(await accounts.people.list()).toEqual([])
  const ada = await accounts.accept(secret, 'Ada', password, 'here')
  expect(await accounts.passwords.isRight(ada.id, password, here)).toBe(true)
})

test('[AC151] guesses at a password don’t keep its owner out of a browser in which they have logged in, behind one proxy', async () => {
  const team = await startTeam({ runs: false, clock: () => 1_800_000_000_000 })
  const signIn = (name: string, word: string, headers = {}) =>
    team.call('/sign-in', {
      ...{ method: 'POST', redirect: 'manual', headers },
      body: new URLSearchParams({ name, password: word }),
    })
  const { person } = await team.comes('Ada', 'member')
  await team.accounts.passwords.set(person.id, password)
  const first = await signIn('Ada', password)
  const cookie = first.headers.getSetCookie().find(one => one.startsWith('roundtable-browser='))!
  expect(cookie).toMatch(/; Path=\/sign-in; HttpOnly; SameSite=Lax/)
  const guesses = await Promise.all(
    Array.from({ length: 60 }, (_, number) => signIn(`${['Ada', 'Bob'][number % 2]}`, `wrong ${number}`)),
  )
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
  expect((await signIn('Ada', password)).status).toBe(429)
  expect((await signIn('Ada', password, { cookie: cookie.split(';')[0]! })).status).toBe(303)
})

test('[AC133] two admins who demote or disable each other at once don’t leave the team without one', async () => {
  const accounts = accountsOf(memoryStore())
  const [ada, eve] = [
    await accounts.people.add({ name: 'Ada', role: 'admin' }),
    await accounts.people.add({ name: 'Eve', role: 'admin' }),
  ]
  await Promise.allSettled([
    accounts.changeRole(ada, 'member', atTerminal),
    accounts.disable(eve, atTerminal),
  ])
  const left = (await accounts.people.list()).filter(({ role, disabled }) => role === 'admin' && !disabled)
  expect(left.length).toBeGreaterThan(0)
})

test('[AC134] guesses over the limit leave nothing in the audit log, and those of unknown names as much as others', async () => {
  const team = await startTeam({ runs: false })
  await team.comes('Ada', 'member')
  const failures = async () =>
    (await team.accounts.audit.page(200)).entries.filter(({ what }) => what === 'sign-in-failed').length
  await send(team, '/sign-in', { name: 'Nobody', password: 'x'.repeat(501) })
  expect(await failures()).toBe(1)
  for (let guess = 0; guess < 40; guess++)
    await (await send(team, '/sign-in', { name: 'Ada', password: 'x'.repeat(501) })).text()
  expect(await failures()).toBe(6)
})

test('[AC284] nobody gets a name that looks like another’s, mixes alphabets, or is an address that isn’t theirs', async () => {
  const { people } = accountsOf(memoryStore())
  await people.add({ name: 'Capa', role: 'member', email: 'capa@example.com' })
  const refused = ['Сара', 'Cаpa', 'ＣＡＰＡ', 'grace@example.com', 'Capa\u200b']
  for (const name of refused)
    await expect(people.add({ name, role: 'member' }), name).rejects.toThrow(/taken|alphabet|address|visible/)
  const taken = ['Zoë Ångström', 'Анна', '李雷', 'Anna-Мария K.', 'Cara']
  for (const name of taken) await people.add({ name, role: 'member' })
  const own = await people.add({ name: 'ada@example.com', email: 'ada@example.com', role: 'member' })
  expect(own.name).toBe('ada@example.com')
})

test('[AC135] a NUL in a name, a passkey or an address is refused with words, on a database that takes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-nul-'))
  const archive = await embeddedArchive(folder)
  // Called last: the server closes first.
  onTestFinished(async () => {
    await archive.close()
    rmSync(folder, { recursive: true })
  })
  const team = await startTeam({ runs: false, archive })
  const ada = await team.comes('Ada', 'admin')
  const passkey = {
    ...{ id: '\0', rawId: '\0', type: 'public-key' },
    response: { clientDataJSON: '', authenticatorData: '', signature: '' },
  }
  const replies = [
    await send(team, '/sign-in', { name: 'a\0b', password }),
    await team.call('/sign-in/passkey', { json: { passkey } }),
    await ada.call('/api/team/audit?before=%00'),
  ]
  expect(replies.map(({ status }) => status)).toEqual([401, 422, 400])
  expect(nameKey('a\0b')).toBe('ab')
})

const backupOf = (...records: readonly object[]): string[] =>
  [
    { roundtable: 'backup', version: 1 },
    ...records.map(record => ({ record })),
    { end: true, sessions: 0 },
  ].map(line => JSON.stringify(line))

test('[AC136] a backup that somebody has put a sign-in into isn’t restored', async () => {
  const archive = memoryStore()
  const { people, signIns } = accountsOf(archive)
  const { id } = await people.add({ name: 'Ada', role: 'admin' })
  const value = { person: id, since: '', until: 1e15, from: '', browser: '' }
  const planted = backupOf({ kind: 'sign-in', key: 'one', owner: id, value })
  await expect(restoreFrom(planted, archive, { overwrite: true })).rejects.toThrow('damaged in line 2')
  expect(await signIns.of(id)).toEqual([])
})

test('[AC137] a backup adds nothing to somebody’s account, and replaces no record, unless it may overwrite', async () => {
  const archive = memoryStore()
  const { people, passwords, keys, audit } = accountsOf(archive)
  const { id } = await people.add({ name: 'Ada', role: 'admin' })
  await passwords.set(id, password)
  await audit.add(atTerminal, 'invited-member')
  await archive.saveRecord('budget', 'team', { day: { usd: 1 } })
  const [entry] = await archive.records('audit')
  const planted = [
    { kind: 'password', key: id, owner: null, value: {} },
    { kind: 'api-key', key: 'new', owner: id, value: { person: id } },
    { kind: 'api-key', key: 'new', owner: null, value: { person: id } },
    { kind: 'person-name', key: 'eve', owner: 'nobody', value: id },
    { kind: 'budget', key: 'team', owner: null, value: {} },
    { kind: 'audit', key: entry!.key, owner: 'terminal', value: {} },
  ]
  for (const record of planted)
    await expect(restoreFrom(backupOf(record), archive)).rejects.toThrow('Nothing was restored')
  expect(await passwords.isRight(id, password, here)).toBe(true)
  expect(await keys.of(id)).toEqual([])
  await restoreFrom(backupOf(planted[4]!), archive, { overwrite: true })
  expect(await archive.record('budget', 'team')).toEqual({})
})

test('[AC149] a backup without --overwrite changes nobody’s sum, and one with impossible sums isn’t restored', async () => {
  const archive = memoryStore()
  const { id } = await accountsOf(archive).people.add({ name: 'Ada', role: 'member' })
  const today = { day: '2026-11-18', usd: 1, tokens: 10, calls: 1 }
  await archive.countSpending([{ payer: 'team', ...today }])
  const planted = (spent: object): string[] => backupOf({}).with(1, JSON.stringify({ spent }))
  for (const spent of [
    { ...today, payer: id, tokens: 1e9 },
    { ...today, payer: 'team', tokens: 1e9 },
  ])
    await expect(restoreFrom(planted(spent), archive)).rejects.toThrow('Nothing was restored')
  for (const odd of [
    { tokens: -1 },
    { usd: -1 },
    { usd: 1e300 },
    { tokens: 0.5 },
    { day: 'today' },
    { calls: null },
  ])
    await expect(
      restoreFrom(planted({ ...today, payer: 'team', ...odd }), archive, { overwrite: true }),
    ).rejects.toThrow('damaged in line 2')
  expect(await archive.ledger()).toEqual([{ payer: 'team', ...today }])
  await restoreFrom(planted({ ...today, payer: 'somebody new' }), archive)
  expect(await archive.ledger()).toHaveLength(2)
})

test('[AC138] trying taken names with an invitation doesn’t keep an admin from revoking it', async () => {
  const archive = memoryStore()
  const { invitations, people } = accountsOf(archive)
  await people.add({ name: 'Ada', role: 'admin' })
  const secret = await invitations.make({ role: 'member', by: 'terminal' })
  const { id } = (await invitations.with(secret))!
  let revoked = false
  const revoke = async (): Promise<void> => {
    if (!revoked) await invitations.revoke(id)
    revoked = true
  }
  const watched: Archive = {
    ...archive,
    async addRecord(kind, key, value, owner) {
      if (kind === 'person-name') await revoke()
      return archive.addRecord(kind, key, value, owner)
    },
  }
  await expect(accountsOf(watched).accept(secret, 'ADA', password, 'here')).rejects.toThrow('is taken')
  await revoke()
  expect(await invitations.with(secret)).toBeUndefined()
})
