/** Attacks that failed, kept as tests: around the token by odd paths, and with two requests in one. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Setup, startSetup } from './setup.ts'

const token = 'a-long-random-token-of-this-server'

/** Everything the server replies to these bytes, until it or the time ends the connection. */
const raw = async ({ port }: Setup, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let reply = ''
  socket.on('data', chunk => {
    reply += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(text)
  socket.setTimeout(300, () => socket.destroy())
  await once(socket, 'close')
  return reply
}

const statusesIn = (reply: string): number[] =>
  [...reply.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(match => Number(match[1]))

const get = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}connection: close\r\n\r\n`

test('[H73] no spelling of a path gets around the token', async () => {
  const setup = await startSetup({ token, runs: false })
  const paths = [
    '/api/shared/../sessions',
    '/api/shared/%2e%2e/sessions',
    '/api/shared/..%2fsessions',
    '/shared/../api/sessions',
    '/assets/../api/sessions',
    '/assets/%2e%2e/api/sessions',
    '/assets/..%2fapi%2fsessions',
    '/assets/..\\api\\sessions',
    '//api/sessions',
    '/./api/sessions',
    '/API/sessions',
    '/api/sessions/',
    '/api//sessions',
    '/api/sessions;/healthz',
    '/api/sessions?/healthz',
    '/api/sessions#/healthz',
    '/api/sessions%3f/healthz',
    '/api/sessions%00/healthz',
    '/healthz/../api/sessions',
    '/healthz%2f..%2fapi%2fsessions',
    '/login/../api/settings',
    '/metrics?x=/assets/',
    'http://127.0.0.1/api/sessions',
    'http://127.0.0.1/healthz/../api/sessions',
  ]
  for (const path of paths) {
    const reply = await raw(setup, get(path))
    expect([path, statusesIn(reply).filter(status => status < 300)]).toEqual([path, []])
    expect(reply).not.toContain('"sessions"')
  }
  const headers = [
    'x-original-url: /healthz\r\n',
    'x-rewrite-url: /healthz\r\n',
    'x-http-method-override: HEAD\r\n',
    'x-forwarded-for: 127.0.0.1\r\n',
    `authorization: bearer\r\nauthorization: Bearer wrong\r\n`,
    'cookie: roundtable=\r\n',
    'cookie: roundtable=undefined; roundtable=null\r\n',
  ]
  for (const more of headers)
    expect([more, statusesIn(await raw(setup, get('/api/sessions', more)))]).toEqual([more, [401]])
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    for (const path of ['/healthz', '/assets/x', '/api/shared/x', '/shared/x'])
      expect((await setup.call(path, { method })).status).toBe(401)
})

test('[H74] two requests cannot be hidden in one', async () => {
  const setup = await startSetup({ token, runs: false })
  const hidden = `GET /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  const head = 'POST /login HTTP/1.1\r\nhost: 127.0.0.1\r\n'
  const smuggled = [
    `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding: chunked\r\ncontent-length: ${hidden.length}\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
    `${head}content-length: +${hidden.length}\r\n\r\n${hidden}`,
    `${head}content-length: 0x10\r\n\r\n${hidden}`,
    `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}x: y\n\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding: chunked\r\n\r\n0\n\n${hidden}`,
  ]
  for (const text of smuggled) {
    const statuses = statusesIn(await raw(setup, text))
    expect([text, statuses.filter(status => status < 400)]).toEqual([text, []])
  }
  // A header that is cut in two is not a header.
  const split = await setup.call('/login?x=%0d%0aset-cookie:%20a=b')
  expect(split.headers.get('set-cookie')).toBeNull()
})

test('[H91] a body that is refused is taken in to its end, so that a slow sender reads the refusal and goes on', async () => {
  const { port } = await startSetup({ runs: false })
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  let read = ''
  socket.on('data', text => {
    read += text
  })
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`
  socket.write(`${head('/api/nothing', 200_000)}${'x'.repeat(100_000)}`)
  await expect.poll(() => read).toContain('HTTP/1.1 404')
  // Longer than a server that is in a hurry would wait.
  await setTimeout(1_000)
  read = ''
  socket.write(`${'x'.repeat(100_000)}${head('/api/nothing', 0)}`)
  await expect.poll(() => read).toContain('HTTP/1.1 404')
})

test('[H477] the rest of a long body that was refused is not taken in, and the sender has time to read why', async () => {
  const { port } = await startSetup({ runs: false })
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  let read = ''
  socket.on('data', text => {
    read += text
  })
  const closed = new Promise(resolve => socket.on('error', () => undefined).on('close', resolve))
  const length = 200_000_000
  socket.write(
    `POST /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`,
  )
  const sent = new Promise(resolve => socket.write(Buffer.alloc(length), error => resolve(!error)))
  await expect.poll(() => read).toContain('HTTP/1.1 413')
  await closed
  expect(read).toContain('Send less.')
  expect(await sent).toBe(false)
})
