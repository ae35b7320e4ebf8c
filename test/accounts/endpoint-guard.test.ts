/** A person's own endpoint must not lead to the server's own network. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ownProvidersWith, privateEndpointsIn } from '../../src/accounts/command.ts'
import { ownEndpointsIn } from '../../src/accounts/people.ts'
import { type AddressRules, guardedDispatcher } from '../../src/evidence/web.ts'
import { openAICompatible } from '../../src/models/chat.ts'
import type { Provider } from '../../src/models/provider.ts'
import { backupLines, restoreFrom } from '../../src/store/backup.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { standIn } from '../websearch/servers.ts'
import { cheap, startTeam } from './people.ts'

const secret = Buffer.alloc(32, 7)

const listWords = async (provider: Provider): Promise<string> => {
  const listed = await provider.list()
  return 'error' in listed ? listed.error.message : listed.models.join(' ')
}

/** What a call of a model says, or why there is none. */
const callWords = async (provider: Provider): Promise<string> => {
  const parts: string[] = []
  const call = {
    ...{ model: 'a', system: '', user: ['Why?'], maxOutputTokens: 10 },
    ...{ shape: { name: 'any', json: {} }, signal: AbortSignal.timeout(5_000) },
  }
  for await (const part of provider.stream(call)) parts.push(JSON.stringify(part))
  return parts.join('\n')
}

test('[AC145] without ROUNDTABLE_PRIVATE_ENDPOINTS, nothing reaches loopback or link-local addresses', async () => {
  const inside = await standIn((_request, response) => response.end('{"data": [{"id": "secret"}]}'))
  const team = await startTeam({ runs: false, accounts: { ...cheap, secret } })
  const ada = await team.comes('Ada', 'member')
  const send = async (path: string, fields: Record<string, string>) =>
    (await ada.call(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })).text()
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '2130706433', '0']
  for (const host of [...hosts, '127.1', '169.254.169.254', '[fe80::1]', '10.0.0.1', '100.64.0.1']) {
    await send('/account/endpoints', { id: 'mine', address: `http://${host}:${inside.port}/v1`, key: '' })
    const said = await send('/account/endpoints/test', { id: 'mine' })
    expect([host, said]).toEqual([host, expect.stringContaining('it is not at a public address')])
    expect(await (await ada.call('/api/models?search=mine')).text()).not.toContain('mine/')
    const own = await ownProvidersWith({ connections: [] }, secret, false)(team.archive)(ada.person.id)
    const [provider] = own!([])
    expect([host, await callWords(provider!)]).toEqual([host, expect.stringContaining('not at a public')])
    expect(await provider!.facts('a')).toEqual({})
  }
  expect(inside.received).toEqual([])
  expect(privateEndpointsIn({ ROUNDTABLE_PRIVATE_ENDPOINTS: 'yes' })).toBe(true)
  expect(privateEndpointsIn({ ROUNDTABLE_PRIVATE_ENDPOINTS: 'no' })).toBe(false)
  expect(privateEndpointsIn({})).toBe(false)
  expect(() => privateEndpointsIn({ ROUNDTABLE_PRIVATE_ENDPOINTS: 'ja' })).toThrow('"yes" or "no"')
})

test('[AC146] a name whose addresses change is checked at each connection, and a redirect isn’t followed', async () => {
  const inside = await standIn((_request, response) => response.end('{"data": [{"id": "secret"}]}'))
  let redirects = false
  const outside = createServer((_request, response) => {
    const location = `${inside.address}/v1/models`
    response.writeHead(redirects ? 307 : 200, { connection: 'close', ...(redirects && { location }) })
    response.end('{"data": [{"id": "fine"}]}')
  })
  // At the same port: only the address decides.
  await new Promise<void>(resolve => outside.listen(inside.port, '127.0.0.2', resolve))
  onTestFinished(() => void outside.close())
  expect((outside.address() as AddressInfo).port).toBe(inside.port)
  let found = ['127.0.0.2']
  const rules: AddressRules = {
    resolve: async () => found.map(address => ({ address, family: 4 })),
    allows: address => address === '127.0.0.2',
  }
  const baseURL = `http://a.example:${inside.port}/v1`
  const provider = openAICompatible({ id: 'mine', baseURL, through: guardedDispatcher(rules) })
  expect(await listWords(provider)).toBe('fine')
  found = ['127.0.0.1']
  expect(await listWords(provider)).toContain('not at a public address')
  expect(await callWords(provider)).toContain('not at a public address')
  found = ['127.0.0.2', '127.0.0.1']
  expect(await listWords(provider)).toContain('not at a public address')
  found = ['127.0.0.2']
  redirects = true
  expect(await listWords(provider)).not.toContain('secret')
  expect(await callWords(provider)).toContain('"type":"error"')
  expect(inside.received).toEqual([])
})

test('[AC147] address and key are encrypted for one person and name, and another secret opens neither', async () => {
  const archive = memoryStore()
  const endpoints = ownEndpointsIn(archive, secret, undefined)
  await endpoints.save('ada', 'mine', 'https://a.example/v1?token=in-the-address', 'sk-of-ada-herself')
  const [record] = await archive.records('endpoint')
  expect(JSON.stringify(record)).not.toMatch(/sk-of-ada|in-the-address/)
  expect(await endpoints.open('ada')).toMatchObject([{ id: 'mine', key: 'sk-of-ada-herself' }])
  // Copied to somebody else, or to another name, it doesn't open.
  await archive.saveRecord('endpoint', record!.key.replace('ada', 'bob'), record!.value, 'bob')
  expect(await endpoints.open('bob')).toEqual([])
  await archive.saveRecord('endpoint', 'eve other', { ...(record!.value as object), id: 'other' }, 'eve')
  expect(await endpoints.open('eve')).toEqual([])
  const restored = memoryStore()
  await restoreFrom(await Array.fromAsync(backupLines(archive)), restored)
  expect(await ownEndpointsIn(restored, secret, undefined).open('ada')).toHaveLength(1)
  expect(await ownEndpointsIn(restored, Buffer.alloc(32, 8), undefined).open('ada')).toEqual([])
  // Names that differ in case alone are one, and there is an end to how many there are.
  await endpoints.save('ada', 'MINE', 'https://b.example/v1', '')
  expect(await endpoints.of('ada')).toEqual([{ id: 'MINE', shown: 'https://b.example/v1', ending: null }])
  for (let number = 1; number < 20; number++)
    await endpoints.save('ada', `e${number}`, 'https://b.example/v1', '')
  await expect(endpoints.save('ada', 'more', 'https://b.example/v1', '')).rejects.toThrow('Remove one first')
})
