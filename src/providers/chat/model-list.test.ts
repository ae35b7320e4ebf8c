import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openAICompatible } from './openai-compatible.ts'

test('[W29] a key that a server repeats in its list of models, and an endless id, are left out', async () => {
  const key = 'sk-lab-0123456789'
  const data = [
    { id: `m-${key}` },
    { id: 'named', name: `The ${key}` },
    { id: 'x'.repeat(100_000) },
    { id: 'fine', name: 'Fine' },
  ]
  const server = createServer((_, reply) =>
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ data })),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const provider = openAICompatible({ id: 'lab', baseURL: `http://127.0.0.1:${port}/v1`, key })
  expect(await provider.list()).toEqual({ models: ['fine'] })
  expect(await provider.facts('named')).toEqual({})
  expect(await provider.facts('fine')).toEqual({ name: 'Fine' })
})
