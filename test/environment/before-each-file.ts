/** Runs before each file of tests, so that no test can forget it: a home of its own, and no local model servers. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { localServers } from '../../src/models/local.ts'
import { enterCleanEnvironment } from './clean.ts'

const home = mkdtempSync(join(tmpdir(), 'roundtable-home-'))
enterCleanEnvironment(home)
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))

/** A test that hands in an environment without ROUNDTABLE_LOCAL would otherwise find the Ollama of this machine. */
const usualPorts = new Set(localServers.map(({ port }) => String(port)))
const realFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const { hostname, port } = new URL(input instanceof Request ? input.url : input)
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (isLoopback && usualPorts.has(port))
    return Promise.reject(
      new TypeError(`Tests don't call port ${port}: a server of this machine may be there.`),
    )
  return realFetch(input, init)
}
afterAll(() => {
  globalThis.fetch = realFetch
})
