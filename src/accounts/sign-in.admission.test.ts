import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { accountsIn } from './accounts.ts'
import { admit, type Identity } from './sign-in.ts'

const ada: Identity = {
  issuer: 'https://accounts.example.com',
  subject: '1',
  email: 'ada@team.example',
  emailVerified: true,
  name: 'Ada',
}

const setting = (domains: readonly string[] = ['team.example']) => {
  const archive = memoryStore()
  const accounts = accountsIn(archive)
  const comes = (identity: Identity, invitation: string | null = null) =>
    admit({ accounts, archive, domains }, { identity, invitation }, '127.0.0.1')
  return { accounts, comes }
}

test('[AC55] everybody with a verified address of the domain comes in as member, and nobody else', async () => {
  const { comes } = setting()
  const person = await comes(ada)
  expect(person).toMatchObject({ name: 'Ada', role: 'member', email: 'ada@team.example' })
  expect((await comes(ada)).id).toBe(person.id)
  await expect(comes({ ...ada, subject: '2', emailVerified: false })).rejects.toThrow(/Nobody has invited/)
  for (const email of ['eve@nteam.example', 'eve@sub.team.example', 'ada@team.example@evil.example'])
    await expect(comes({ ...ada, subject: '3', email })).rejects.toThrow(/Nobody has invited/)
  await expect(setting([]).comes(ada)).rejects.toThrow(/Nobody has invited/)
})

test('[AC55] an invitation brings its role, whatever the address', async () => {
  const { accounts, comes } = setting([])
  const secret = await accounts.invitations.make({ role: 'viewer', by: 'terminal' })
  expect(await comes({ ...ada, emailVerified: false }, secret)).toMatchObject({ role: 'viewer' })
  await expect(comes({ ...ada, subject: '2' }, secret)).rejects.toThrow(/invitation was used/)
})

test('[AC56] the same address or name with another subject or issuer is another person', async () => {
  const { accounts, comes } = setting()
  const local = await accounts.people.add({ name: 'Ada', email: 'ada@team.example', role: 'admin' })
  const first = await comes(ada)
  const second = await comes({ ...ada, issuer: 'https://other.example.com' })
  expect(new Set([local.id, first.id, second.id]).size).toBe(3)
  expect([first, second]).toMatchObject([
    { name: 'Ada 2', role: 'member' },
    { name: 'Ada 3', role: 'member' },
  ])
  expect(first.email).toBeUndefined()
  expect((await accounts.people.named('ada@team.example'))?.id).toBe(local.id)
})

test('[AC57] a disabled person is not let in by the provider', async () => {
  const { accounts, comes } = setting()
  const person = await comes(ada)
  await accounts.disable(person, { who: 'terminal', from: 'terminal' })
  await expect(comes(ada)).rejects.toThrow(/was disabled/)
})
