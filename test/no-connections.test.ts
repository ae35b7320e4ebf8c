/** Roundtable has no telemetry of its own: a server with nothing configured calls nobody. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { localServers } from '../src/models/local.ts'
import { terminals } from './command-line.ts'

/** Writes down every connection that a process wants to open, and refuses it. Sockets of files are its own business. */
const watch = (file: string): string => `
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const net = require('node:net')
const dns = require('node:dns')
const note = words => appendFileSync(${JSON.stringify(file)}, words + '\\n')
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...given) {
  const [first] = Array.isArray(given[0]) ? given[0] : given
  if (typeof first === 'string' || first?.path) return connect.apply(this, given)
  note((first?.host ?? 'localhost') + ':' + (first?.port ?? first))
  setImmediate(() => this.destroy(Object.assign(new Error('refused by the test'), { code: 'ECONNREFUSED' })))
  return this
}
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const real = dns[name]
  dns[name] = (...given) => (net.isIP(given[0]) || note('dns ' + given[0]), real(...given))
}
require('node:dgram').Socket.prototype.send = function () { note('datagram') }
`

test('[Z324] a server with nothing configured opens no connection but to local model servers', async () => {
  const { folder, start } = terminals()
  const [preload, seen] = [join(folder, 'watch.mjs'), join(folder, 'seen.txt')]
  writeFileSync(preload, watch(seen))
  const server = start(['serve', '--port', '0'], {
    NODE_OPTIONS: `--import=${preload}`,
    ...{ ROUNDTABLE_LOCAL: '', ROUNDTABLE_HUB: '', npm_config_registry: '' },
  })
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.done
  })
  const address = await server.wrote(/Roundtable is at (\S+)/)
  for (const path of [
    '/',
    '/readyz',
    '/api/models',
    '/api/lineups',
    '/api/house',
    '/api/settings',
    '/metrics',
  ])
    expect((await fetch(`${address}${path}`)).status).toBe(200)
  const opened = existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []
  const allowed = localServers.map(({ port }) => `127.0.0.1:${port}`)
  expect(opened.filter(one => !allowed.includes(one))).toEqual([])
  // Otherwise the watching itself would not work.
  expect(opened.length).toBeGreaterThan(0)
}, 120_000)
