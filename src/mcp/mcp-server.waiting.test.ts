import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ServerContext } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { endOfWait, serverReady } from './mcp-server.ts'
import type { Tables } from './server.ts'

const contextOf = (meta?: object): ServerContext =>
  ({ mcpReq: { signal: new AbortController().signal, _meta: meta } }) as unknown as ServerContext

test('[MCP58] the time of a call counts from its arrival, so opening the session is part of it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const end = endOfWait(0, contextOf())
  expect(end.aborted).toBe(false)
  // While a server starts, nobody listens to the signal, and it must not be forgotten.
  for (let pass = 0; pass < 5; pass++) {
    collectGarbage()
    await sleep(10)
  }
  expect(end.aborted).toBe(true)
})

test('[MCP58] a server that is still starting when a client would cut the call opens nothing', async () => {
  const tables = { origin: () => new Promise<string>(() => {}) } as unknown as Tables
  await expect(serverReady(tables, 0.01)).rejects.toThrow('Nothing was asked yet')
  const ready = { origin: async () => 'http://127.0.0.1:1' } as unknown as Tables
  await serverReady(ready, 60)
})
