/** Agents on the faces: the terminal shows them, and a server that others can reach doesn't seat them. */

import { expect, test } from 'vitest'
import type { LineupsReply, ModelsReply, SettingsReply } from '../../src/api/table.ts'
import { terminals } from '../command-line.ts'
import { makePrograms } from './programs.ts'

const environment = () => {
  const programs = makePrograms(['claude', 'codex'])
  programs.logIn('codex')
  // The terminal itself starts from the full path of Node, so nothing else has to be found.
  return { programs, env: { ...programs.env, ROUNDTABLE_AGENTS: '' } }
}

test('[AG16] doctor and models show which agents are installed and logged in', async () => {
  const { env, programs } = environment()
  const { run } = terminals(env)
  // Lines break where the terminal ends.
  const doctor = (await run('doctor')).out.replace(/\s+/g, ' ')
  expect(doctor).toMatch(/✓ cli:codex\s+Codex, .*codex, logged in/)
  expect(doctor).toMatch(/· cli:claude\s+Claude Code, .*claude, not logged in/)
  expect(doctor).toContain('Log in with `claude auth login`.')
  const models = JSON.parse((await run('models', 'cli:', '--json')).out) as Record<string, unknown>[]
  expect(models.map(({ id, configured }) => [id, configured])).toEqual([
    ['cli:claude', false],
    ['cli:claude/opus', false],
    ['cli:claude/sonnet', false],
    ['cli:claude/haiku', false],
    ['cli:codex', true],
  ])
  programs.remove()
}, 120_000)

test('[AG17] a session of agents in the terminal says that a subscription pays', async () => {
  const { env, programs } = environment()
  const { run } = terminals(env)
  const { out, err, code } = await run(
    'ask',
    'Is it so?',
    '--options',
    'Yes,No',
    '--seats',
    'cli:codex,cli:claude',
    '--rounds',
    '0',
  )
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(`${out}${err}`).toMatch(/tokens, subscription,/)
  expect(`${out}${err}`).toMatch(/out · subscription · /)
  programs.remove()
}, 120_000)

test('[AG11] a server with an address for others shows no agent, and refuses to seat one', async () => {
  const { env, programs } = environment()
  const token = 'a-token-of-enough-characters'
  const { start } = terminals({ ...env, ROUNDTABLE_TOKEN: token })
  const server = start(['serve', '--host', '0.0.0.0', '--port', '0'])
  const port = await server.wrote(/Roundtable is at http:\/\/\S+:(\d+)/)
  const call = async <T>(path: string, body?: object): Promise<T> =>
    (await (
      await fetch(`http://127.0.0.1:${port}/api/${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    ).json()) as T
  const { agents } = await call<SettingsReply>('settings')
  expect(agents).toEqual({
    installed: [],
    agreed: false,
    refusal: expect.stringContaining('other machines can reach it, and their logins belong to the person'),
  })
  expect(await call('sessions', { question: 'Why?', seats: ['cli:codex'] })).toMatchObject({
    status: 422,
    detail: expect.stringContaining('other machines can reach it'),
  })
  programs.remove()
}, 120_000)

test('[AG18] a server on this machine offers them, and asks once', async () => {
  const { env, programs } = environment()
  const { start } = terminals(env)
  const address = await start(['serve', '--port', '0']).wrote(/Roundtable is at (http:\S+)/)
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${address}/api/${path}`)).json()) as T
  const usual = async () => (await get<LineupsReply>('lineups')).usual.seats
  expect((await get<SettingsReply>('settings')).agents).toEqual({
    installed: [
      { seat: 'cli:claude', label: 'Claude Code', ready: false, logIn: 'claude auth login', own: false },
      { seat: 'cli:codex', label: 'Codex', ready: true, logIn: 'codex login', own: false },
    ],
  })
  expect(await usual()).toEqual([])
  const agreement = {
    method: 'PUT',
    body: '{"agreed":true}',
    headers: { 'content-type': 'application/json' },
  }
  expect((await fetch(`${address}/api/settings/agents`, agreement)).status).toBe(204)
  expect(await usual()).toEqual(['cli:codex'])
  const { lineups } = await get<LineupsReply>('lineups')
  expect(lineups.find(({ name }) => name === 'subscriptions')?.seats).toEqual(['cli:codex'])
  const { models } = await get<ModelsReply>('models?search=codex&configured=true')
  expect(models.find(({ id }) => id === 'cli:codex')).toMatchObject({ agent: true, configured: true })
  programs.remove()
}, 120_000)
