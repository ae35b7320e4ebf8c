/** Who may use the server, tested with exact headers on a real server. */

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cookieFor } from '../../src/http/guards.ts'
import { shownAddress } from '../../src/models/endpoints.ts'
import { question, type Setup, secretKey, startSetup } from './setup.ts'

interface Sent {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** Unlike `fetch`, this can send any Host, Origin and so on. */
const send = (
  { port }: Setup,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const length =
      body === '' || headers['transfer-encoding'] ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers } },
      async response => {
        const text = (await response.setEncoding('utf8').toArray()).join('')
        resolve({ status: response.statusCode!, headers: response.headers, body: text })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const json = { 'content-type': 'application/json' }
const body = JSON.stringify(question)

test('[H20] on loopback, only requests to names of this machine are answered', async () => {
  const setup = await startSetup({ runs: false })
  const { port } = setup
  for (const host of ['127.0.0.1', `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
    expect((await send(setup, '/api/sessions', { host })).status).toBe(200)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
  ])
    for (const path of ['/', '/api/sessions', '/healthz'])
      expect((await send(setup, path, { host })).status).toBe(421)
})

test('[H21] a page of another origin can neither read nor post', async () => {
  const setup = await startSetup({ runs: false })
  const { port, archive } = setup
  const host = `127.0.0.1:${port}`
  const strangers: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${port + 1}` },
    { origin: `http://${host}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of strangers) {
    const posted = await send(setup, '/api/sessions', { host, ...json, ...headers }, 'POST', body)
    expect(posted.status).toBe(403)
    const read = await send(setup, '/api/sessions', { host, ...headers })
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([403, undefined])
  }
  expect(await archive.list()).toEqual([])
  // A form on another page can send only text: if it hides its origin, its content type gives it away.
  const form = await send(setup, '/api/sessions', { host, 'content-type': 'text/plain' }, 'POST', body)
  expect(form.status).toBe(415)
  const own = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
  expect((await send(setup, '/api/sessions', { host, ...json, ...own }, 'POST', body)).status).toBe(201)
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect((await send(setup, '/', { host, ...visit })).status).toBe(200)
})

test('[H22] an address that other machines can reach is not bound without a token', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5'])
    await expect(startSetup({ host })).rejects.toThrow(/ROUNDTABLE_TOKEN/)
  await expect(startSetup({ host: '0.0.0.0', token: ' ' })).rejects.toThrow(/ROUNDTABLE_TOKEN/)
})

const token = 'a-long-random-token-of-this-server'

test('[H23] if a token is set, everything but share links, /healthz and /readyz asks for it', async () => {
  const setup = await startSetup({ host: '0.0.0.0', token, runs: false })
  const bearer = { authorization: `Bearer ${token}` }
  const paths = ['/api/sessions', '/api/settings', '/api/openapi.json', '/api/docs', '/metrics', '/']
  for (const path of paths) {
    expect((await send(setup, path)).status).toBe(401)
    expect((await send(setup, path, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await send(setup, path, { cookie: `roundtable=${token}` })).status).toBe(401)
    expect((await send(setup, path, bearer)).status).toBe(200)
    expect((await send(setup, path, { cookie: `roundtable=${cookieFor(token)}` })).status).toBe(200)
  }
  for (const path of ['/healthz', '/readyz']) expect((await send(setup, path)).status).toBe(200)
  expect((await send(setup, '/api/shared/nothing')).status).toBe(404)
  const opened = await send(setup, '/api/sessions', { ...bearer, ...json }, 'POST', body)
  const id = (JSON.parse(opened.body) as { id: string }).id
  const shared = JSON.parse((await send(setup, `/api/sessions/${id}/share`, bearer, 'POST')).body) as {
    token: string
  }
  expect((await send(setup, `/api/shared/${shared.token}`)).status).toBe(200)
  expect((await send(setup, `/api/sessions/${id}`)).status).toBe(401)
})

test('[H24] the login form takes the token and sets a cookie that does not contain it', async () => {
  const setup = await startSetup({ token, runs: false })
  const page = await send(setup, '/', { accept: 'text/html' })
  expect([page.status, page.headers.location]).toEqual([302, '/login?to=%2F'])
  expect((await send(setup, '/login')).body).toContain('<form method="post" action="/login">')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await send(setup, '/login', form, 'POST', 'token=wrong')).status).toBe(401)
  expect((await send(setup, '/login', form, 'POST', '')).status).toBe(401)
  const login = await send(setup, '/login', form, 'POST', `token=${token}`)
  expect([login.status, login.headers.location]).toEqual([303, '/'])
  const cookie = String(login.headers['set-cookie'])
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect(cookie).not.toContain(token)
  expect((await send(setup, '/api/sessions', { cookie: cookie.split(';')[0]! })).status).toBe(200)
})

test('[H25] guesses of the token and endless writes are slowed down', async () => {
  let time = 0
  const setup = await startSetup({ token, runs: false, clock: () => time, limits: { writesPerMinute: 3 } })
  const wrong = { authorization: 'Bearer wrong' }
  for (let tries = 0; tries < 30; tries++) await send(setup, '/api/sessions', wrong)
  const refused = await send(setup, '/api/sessions', wrong)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  const right = { authorization: `Bearer ${token}` }
  const write = async () => (await send(setup, '/api/sessions/nobody', right, 'DELETE')).status
  expect([await write(), await write(), await write(), await write()]).toEqual([404, 404, 404, 429])
  expect((await send(setup, '/api/sessions', right)).status).toBe(200)
  time = 60_000
  expect(await write()).toBe(404)
})

test('[H76] wrong tokens are counted by address in whatever form, and never lock out the right one', async () => {
  let time = 0
  const setup = await startSetup({ token, runs: false, clock: () => time, limits: { writesPerMinute: 5 } })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const ways = [
    (guess: string) => send(setup, '/api/sessions', { authorization: `Bearer ${guess}` }),
    (guess: string) => send(setup, '/api/sessions', { cookie: `roundtable=${guess}` }),
    (guess: string) => send(setup, '/login', form, 'POST', `token=${guess}`),
  ]
  for (const way of ways) {
    time += 60_000
    for (let tries = 0; tries < 30; tries++) expect((await way(`wrong-${tries}`)).status).toBe(401)
    for (const other of ways) expect((await other('wrong')).status).toBe(429)
    const statuses = [ways[0]!(token), ways[1]!(cookieFor(token)), ways[2]!(token)]
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200, 303])
  }
  // What a stranger sends to open addresses takes nothing from the owner's writes.
  time += 60_000
  for (let tries = 0; tries < 10; tries++) await send(setup, '/healthz', {}, 'POST')
  const right = { authorization: `Bearer ${token}` }
  expect((await send(setup, '/api/sessions/nobody', right, 'DELETE')).status).toBe(404)
  // A browser whose cookie is out of date is not a guesser for longer than one page.
  const visit = await send(setup, '/', { cookie: 'roundtable=old', accept: 'text/html' })
  expect([visit.status, String(visit.headers['set-cookie'])]).toEqual([
    302,
    expect.stringMatching(/^roundtable=; Max-Age=0/),
  ])
})

test('[H65] a token that could be guessed is refused at the start, with how to make one', async () => {
  for (const short of ['secret', 'x'.repeat(19), ` ${'x'.repeat(19)} `])
    await expect(startSetup({ token: short, runs: false })).rejects.toMatchObject({
      kind: 'weak-token',
      message: expect.stringMatching(/at least 20 characters.*32 random bytes/),
    })
  await startSetup({ token: 'x'.repeat(20), runs: false })
})

test('[H26] a body that is too long, of unknown length or not JSON is refused, with advice', async () => {
  const setup = await startSetup({ runs: false, limits: { bodyBytes: 1_000 } })
  const post = (text: string, headers: Record<string, string> = json) =>
    send(setup, '/api/sessions', headers, 'POST', text)
  const long = await post(JSON.stringify({ ...question, question: 'x'.repeat(1_000) }))
  expect([long.status, long.headers['content-type']]).toEqual([413, 'application/problem+json'])
  expect((await post(body, { ...json, 'transfer-encoding': 'chunked' })).status).toBe(411)
  expect((await fetch(`${setup.address}/api/tour`, { method: 'POST' })).status).toBe(409)
  const broken = await post('{"question":')
  expect([broken.status, JSON.parse(broken.body)]).toMatchObject([
    400,
    { title: 'Bad Request', status: 400, detail: 'The body is not valid JSON.' },
  ])
  expect(await setup.archive.list()).toEqual([])
})

/** Sends the head of a request and a part of its body, and returns what the server says without waiting for the rest. */
const sendPart = ({ port }: Setup, path: string, length: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { ...json, 'content-length': String(length) }
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, response => {
      resolve(response.statusCode!)
      outgoing.destroy()
    })
    outgoing.on('error', reject)
    outgoing.write('{')
    onTestFinished(() => void outgoing.destroy())
  })

test('[H473] a link that never existed is answered before its body is read, and strangers send little at once', async () => {
  const setup = await startSetup({ lab: { handler: () => ({}) }, token })
  const nobodys = 'x'.repeat(43)
  for (const length of [100, 31_000_000, 99_000_000])
    expect(await sendPart(setup, `/api/seat/${nobodys}/answer`, length)).toBe(404)
  const opened = await send(
    setup,
    '/api/sessions',
    { ...json, authorization: `Bearer ${token}` },
    'POST',
    JSON.stringify({ ...question, people: ['Ada'] }),
  )
  const [{ path = '' } = {}] = (JSON.parse(opened.body) as { people: { path: string }[] }).people
  const answer = `/api${path}/answer`
  expect(await sendPart(setup, answer, 300_000)).toBe(413)
  expect(await Promise.any(Array.from({ length: 5 }, () => sendPart(setup, answer, 240_000)))).toBe(429)
})

test('[H474] only files and imports may be long: any other body has at most 1 MB', async () => {
  const setup = await startSetup({ runs: false })
  const statuses = async (length: number): Promise<number[]> => {
    const long = JSON.stringify({ words: 'x'.repeat(length) })
    const paths = ['/api/sessions/none/say', '/api/tour', '/api/sessions', '/api/import']
    const replies = []
    for (const path of paths) replies.push((await send(setup, path, json, 'POST', long)).status)
    return replies
  }
  expect(await statuses(1_000_000)).toEqual([413, 413, 422, 422])
})

test('[H27] every response keeps browsers from doing more with it than showing it', async () => {
  const setup = await startSetup({ runs: false })
  const safe = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }
  for (const path of ['/', '/api/sessions', '/api/docs', '/healthz', '/nothing', '/api/sessions/nobody']) {
    const { headers } = await send(setup, path)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
    expect(headers).toMatchObject({
      ...safe,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    for (const gone of ['strict-transport-security', 'x-xss-protection', 'x-download-options'])
      expect(headers).not.toHaveProperty(gone)
  }
  const stream = await setup.call(`/api/sessions/${await setup.ask()}/events`)
  expect(Object.fromEntries(stream.headers)).toMatchObject(safe)
  expect(stream.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  await stream.body?.cancel()
})

test('[H28] no response and no log line contains a key or a token', async () => {
  const setup = await startSetup({ token, lab: { models: { b: { fault: 'wrong-key' } } } })
  const headers = { authorization: `Bearer ${token}`, ...json }
  const texts: string[] = []
  const opened = await send(setup, '/api/sessions', headers, 'POST', body)
  const { id } = JSON.parse(opened.body) as { id: string }
  await setup.engine.idle()
  const share = JSON.parse((await send(setup, `/api/sessions/${id}/share`, headers, 'POST')).body) as {
    token: string
  }
  await send(setup, `/api/shared/${share.token}`)
  for (const path of ['/api/settings?check=true', `/api/sessions/${id}`, '/api/models', '/metrics'])
    texts.push((await send(setup, path, headers)).body)
  for (const text of [...texts, setup.log()]) {
    expect(text).not.toContain(secretKey)
    expect(text).not.toContain(token)
  }
  expect(setup.log()).toContain('/api/shared/:token')
  expect(setup.log()).not.toContain(share.token)
})

test('[H72] a key in the address of an endpoint is not shown, even if the endpoint repeats it', async () => {
  const secret = 'sk-in-the-query-0123456789'
  let asked = ''
  const echo = createServer(({ url = '' }, response) => {
    asked = url
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `There is no ${url}` } }))
  })
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void echo.close())
  const address = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`
  const endpoint = { id: 'echo', keyEnv: '', from: 'ROUNDTABLE_ENDPOINTS' }
  const setup = await startSetup({
    config: { endpoints: [{ ...endpoint, baseURL: `${address}?api-key=${secret}` }] },
    runs: false,
  })
  const text = await (await setup.call('/api/settings?check=true')).text()
  expect(asked).toContain(secret)
  expect(text).toContain(`${address}?…`)
  expect(text).toContain('There is no /v1/models?api-key=[key]')
  for (const one of [text, setup.log()]) expect(one).not.toContain(secret)
  expect(shownAddress('https://user:pass@example.org:8443/v1/')).toBe('https://example.org:8443/v1')
  expect(shownAddress('sk-not-an-address')).toBe('(not an address)')
})
