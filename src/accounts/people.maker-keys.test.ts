import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { makerKeysIn, serverSecret } from './people.ts'

const key = 'sk-secret-of-ada-1234'

test("[AC75] a maker's key is stored encrypted, opens with the server's secret alone, and shows its last four characters", async () => {
  const [archive, secret] = [memoryStore(), randomBytes(32)]
  const keys = makerKeysIn(archive, secret)
  await keys.save('ada', 'openai', key, null)
  expect(JSON.stringify(await archive.records('maker-key'))).not.toContain('secret-of-ada')
  expect(await keys.of('ada')).toEqual([{ maker: 'openai', ending: '…1234' }])
  expect(await keys.open('ada')).toEqual([{ maker: 'openai', address: null, key }])
  expect(await makerKeysIn(archive, randomBytes(32)).open('ada')).toEqual([])
  expect(await keys.remove('ada', 'openai')).toBe(true)
  expect(await keys.of('ada')).toEqual([])
})

test('[AC75] a sealed key that is copied to another person, or changed, does not open', async () => {
  const [archive, secret] = [memoryStore(), randomBytes(32)]
  const keys = makerKeysIn(archive, secret)
  await keys.save('ada', 'openai', key, null)
  const value = (await archive.record('maker-key', 'ada openai')) as { sealed: { data: string } }
  await archive.saveRecord('maker-key', 'bob openai', value as never, 'bob')
  expect(await keys.open('bob')).toEqual([])
  const data = Buffer.from(value.sealed.data, 'base64')
  data[0] = data[0]! ^ 1
  const changed = { ...value, sealed: { ...value.sealed, data: data.toString('base64') } }
  await archive.saveRecord('maker-key', 'ada openai', changed as never, 'ada')
  expect(await keys.open('ada')).toEqual([])
})

test("[AC76] the server's secret is 32 bytes from a variable, or a file that only its owner can read", () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  const made = serverSecret(undefined, path)
  expect(made).toHaveLength(32)
  expect(serverSecret(undefined, path)).toEqual(made)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o644)
  expect(() => serverSecret(undefined, path)).toThrow(/Others can read/)
  writeFileSync(path, 'too short', { mode: 0o600 })
  chmodSync(path, 0o600)
  expect(() => serverSecret(undefined, path)).toThrow(/32 random bytes/)
  const bytes = randomBytes(32)
  expect(serverSecret(bytes.toString('hex'), undefined)).toEqual(bytes)
  expect(serverSecret(bytes.toString('base64'), undefined)).toEqual(bytes)
  expect(() => serverSecret('password', undefined)).toThrow(/ROUNDTABLE_SECRET must be/)
  expect(serverSecret(undefined, undefined)).toBeUndefined()
})
