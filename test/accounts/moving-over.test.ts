/** A server that ran with one token becomes a team's, as processes: nothing is lost, and a backup carries it all. */
import { expect, onTestFinished, test } from 'vitest'
import { terminals } from '../command-line.ts'
import { startLab } from '../lab/server.ts'

const token = 'a-token-that-nobody-guesses'
const password = 'correct horse battery'
const closed = ['--protocol', 'poll', '--options', 'Yes,No', '--moderator', 'none']

const visit = (address: string, path: string, cookie: string): Promise<Response> =>
  fetch(`${address}${path}`, { headers: { cookie } })

const idsAt = async (address: string, cookie: string): Promise<string[]> => {
  const reply = (await (await visit(address, '/api/sessions', cookie)).json()) as {
    sessions: { id: string }[]
  }
  return reply.sessions.map(({ id }) => id)
}

const submit = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

const cookieIn = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''

test('[AC30] [AC31] [AC32] [AC39] a server with one token becomes a team’s, and a backup of it another one', {
  timeout: 240_000,
}, async () => {
  const lab = await startLab()
  onTestFinished(() => lab.stop())
  const { start, run } = terminals()
  const before = { ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`, ROUNDTABLE_TOKEN: token }
  const serve = async (env: Record<string, string>, ...more: string[]) => {
    const server = start(['serve', '--port', '0', ...more], env)
    const address = await server.wrote(/Roundtable is at (http:\S+)/)
    return { server, address }
  }
  const stop = async ({ server }: Awaited<ReturnType<typeof serve>>) => {
    server.child.kill('SIGTERM')
    return server.done
  }

  const old = await serve(before)
  expect((await run('ask', 'Why tides?', '--seats', 'lab/a,lab/b', ...closed)).code).toBe(0)
  await stop(old)

  const now = { ...before, ROUNDTABLE_ACCOUNTS: 'on' }
  const team = await serve(now)
  const { address } = team
  const refused = await fetch(`${address}/api/sessions`, { headers: { authorization: `Bearer ${token}` } })
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('no longer takes a token. Log in at /sign-in')

  const link = (await run('accounts', 'admin', 'Ada')).out.trim()
  expect(link).toMatch(new RegExp(`^${address}/invitation/[\\w-]{43}$`))
  const ada = cookieIn(await submit(link, { name: 'Ada', password }))
  const [tides] = await idsAt(address, ada)
  expect((await visit(address, `/api/sessions/${tides}/export/markdown`, ada)).status).toBe(200)

  // Commands on this machine go on as before; what they ask is the team's.
  expect((await run('ask', 'Why moons?', '--seats', 'lab/a,lab/b', ...closed)).code).toBe(0)
  const guest = (await run('accounts', 'invite', 'Bob', '--role', 'viewer')).out.trim()
  const bob = cookieIn(await submit(guest, { name: 'Bob', password }))
  expect(await idsAt(address, bob)).toHaveLength(2)
  const asked = await fetch(`${address}/api/sessions`, {
    method: 'POST',
    headers: { cookie: ada, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Mine?', seats: ['lab/a'], protocol: 'poll', moderator: null }),
  })
  expect(asked.status).toBe(201)
  expect([await idsAt(address, ada), await idsAt(address, bob)].map(ids => ids.length)).toEqual([3, 2])

  const people = await run('accounts', 'list')
  expect(people.out).toMatch(/^Ada: admin, since .*\nBob: viewer, since /)
  expect((await run('accounts', 'role', 'Bob', 'member')).out).toBe('Bob is member now.\n')
  expect((await visit(address, '/api/sessions', bob)).status).toBe(401)
  expect((await run('accounts', 'disable', 'Ada')).err).toContain('Ada is the only admin')
  expect((await run('accounts', 'audit')).out).toMatch(/terminal: role-member Bob, from terminal/)

  expect((await run('backup', 'all.jsonl')).code).toBe(0)
  expect((await stop(team)).err).not.toContain(password)
  const forgotten = await start(['serve', '--port', '0'], before).done
  expect([forgotten.code, forgotten.err]).toEqual([
    2,
    expect.stringContaining('Set ROUNDTABLE_ACCOUNTS to "on"'),
  ])
  const restored = { ...now, ROUNDTABLE_DATA: 'elsewhere' }
  const restoring = start(['restore', 'all.jsonl'], restored)
  expect((await restoring.done).code).toBe(0)
  const next = await serve(restored)
  expect((await visit(next.address, '/api/sessions', ada)).status).toBe(401)
  const signIn = (name: string) => submit(`${next.address}/sign-in`, { name, password })
  expect(await idsAt(next.address, cookieIn(await signIn('Ada')))).toHaveLength(3)
  expect(await idsAt(next.address, cookieIn(await signIn('Bob')))).toHaveLength(2)
  await stop(next)
})
