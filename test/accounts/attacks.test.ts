/** What hostile people try: to get in, to stay in, and to stay what they were. */
import { expect, test } from 'vitest'
import { atTerminal } from '../../src/accounts/audit.ts'
import type { Archive } from '../../src/store/archive/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { accountsOf, startTeam, type Visit } from './people.ts'

const password = 'correct horse battery'

type Hook = () => Promise<void>

/** An archive where something happens once, right after a password was read, or right before one is written. */
const hooked = () => {
  const archive = memoryStore()
  const hooks: { afterRead?: Hook; beforeSave?: Hook } = {}
  const once = async (name: keyof typeof hooks, kind: string): Promise<void> => {
    const hook = kind === 'password' ? hooks[name] : undefined
    if (hook) delete hooks[name]
    await hook?.()
  }
  const watched: Archive = {
    ...archive,
    async record(kind, key) {
      const value = await archive.record(kind, key)
      await once('afterRead', kind)
      return value
    },
    async saveRecord(kind, key, value, owner) {
      await once('beforeSave', kind)
      return archive.saveRecord(kind, key, value, owner)
    },
  }
  return { archive, watched, hooks }
}

const send = ({ call }: Pick<Visit, 'call'>, path: string, fields: Record<string, string>) =>
  call(path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

test('[AC130] somebody who is disabled or demoted while they change their password stays so', async () => {
  const { archive, watched, hooks } = hooked()
  const team = await startTeam({ runs: false, archive: watched })
  const accounts = accountsOf(archive)
  await team.comes('Ada', 'admin')
  const eve = await team.comes('Eve', 'admin')
  hooks.beforeSave = async () => {
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
