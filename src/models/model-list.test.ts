import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openAICompatible } from './chat.ts'

const listing = async (data: readonly object[], key?: string) => {
  const server = createServer((_, reply) =>
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ data })),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return openAICompatible({ id: 'lab', baseURL: `http://127.0.0.1:${port}/v1`, ...(key && { key }) })
}

test('[G262] the day on which a model is turned off is read under each of its names, and nothing else is', async () => {
  const provider = await listing([
    { id: 'openai', shutdown_date: '2026-12-31' },
    { id: 'openrouter', expiration_date: '2027-01-02' },
    { id: 'mistral', deprecation: '2027-03-04T00:00:00Z' },
    { id: 'stays', shutdown_date: null, expiration_date: null },
    { id: 'odd', deprecation: 'soon' },
    { id: 'wrong', shutdown_date: '2026-19-39' },
    { id: 'number', expiration_date: 20261231 },
  ])
  expect(await provider.list()).toEqual({
    models: ['openai', 'openrouter', 'mistral', 'stays', 'odd', 'wrong', 'number'],
    retires: { openai: '2026-12-31', openrouter: '2027-01-02', mistral: '2027-03-04' },
  })
})

test('[W29] a key that a server repeats in its list of models, and an endless id, are left out', async () => {
  const key = 'sk-lab-0123456789'
  const data = [
    { id: `m-${key}` },
    { id: 'named', name: `The ${key}` },
    { id: 'x'.repeat(100_000) },
    { id: 'fine', name: 'Fine' },
  ]
  const provider = await listing(data, key)
  expect(await provider.list()).toEqual({ models: ['fine'] })
  expect(await provider.facts('named')).toEqual({})
  expect(await provider.facts('fine')).toEqual({ name: 'Fine' })
})
