import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { checkAccountsSetting } from './command.ts'

test('[AC153] a server or worker on an archive with people wants to be told of accounts, and the secret if people entered keys', async () => {
  const archive = memoryStore()
  const check = (said: string | undefined, secret?: Buffer) =>
    checkAccountsSetting(archive, { env: { ROUNDTABLE_ACCOUNTS: said }, secret, harm: 'harm is done' })
  expect(await check(undefined)).toBe(false)
  await archive.saveRecord('person', 'ada', {})
  await expect(check(undefined)).rejects.toThrow('without them harm is done. Set ROUNDTABLE_ACCOUNTS')
  await expect(check(' ')).rejects.toThrow('Set ROUNDTABLE_ACCOUNTS')
  for (const said of ['on', 'off']) expect(await check(said)).toBe(true)
  for (const kind of ['maker-key', 'endpoint'] as const) {
    await archive.saveRecord(kind, 'one', {}, 'ada')
    await expect(check('on')).rejects.toThrow('Set ROUNDTABLE_SECRET')
    expect(await check('on', Buffer.alloc(32))).toBe(true)
    expect(await check('off')).toBe(true)
    await archive.removeRecord(kind, 'one')
  }
})
