/** MCP over standard input and output: the command that hosts start, asked by the real clients. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { foundSessionsSchema, type TableResult } from '../../src/api/doors.ts'
import { startCommand } from '../command.ts'
import { cleanEnvironment } from '../environment/clean.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { type Command, overStdio, type ToolReply } from './clients.ts'
import { holding, resultOf, yesOrNo } from './replies.ts'

const main = new URL('../../src/main/main.ts', import.meta.url).pathname

const stage = async (options: LabOptions = {}): Promise<{ lab: Lab; command: Command }> => {
  const lab = await startLab(options)
  const cwd = mkdtempSync(join(tmpdir(), 'roundtable-mcp-'))
  onTestFinished(async () => {
    await lab.stop()
    rmSync(cwd, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  const seats = ['lab/a', 'lab/b', 'lab/c']
  writeFileSync(
    join(cwd, 'roundtable.config.json'),
    JSON.stringify({ seats, protocol: 'poll', moderator: 'lab/m' }),
  )
  const env = {
    ...cleanEnvironment(cwd),
    ROUNDTABLE_DATA: join(cwd, 'data'),
    ROUNDTABLE_TRUST: cwd,
    ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
  }
  return { lab, command: { cwd, env } }
}

/** What a client of the first generation says first. */
const initialize = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
}

const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

test('[MCP1] [MCP4] [MCP9] clients of both generations ask over stdio and cancel; their hosts share one archive and take over', {
  timeout: 240_000,
}, async () => {
  const { handler, release } = holding('slow')
  const { command } = await stage({ handler })
  const clients = [
    await overStdio['client 2 over stdio'](command),
    await overStdio['client 1 over stdio'](command),
  ] as const
  const verdicts: TableResult[] = []
  for (const client of clients) {
    expect(await client.tools()).toContain('ask_table')
    const result = resultOf(await client.call('ask_table', yesOrNo))
    expect(result).toMatchObject({ status: 'finished', outcome: 'verdict' })
    const page = new URL(result.url)
    const session = await (await fetch(`${page.origin}/api/sessions/${result.id}`)).json()
    expect(session).toMatchObject({ id: result.id, outcome: 'verdict' })
    verdicts.push(result)
  }
  const [one, two] = verdicts as [TableResult, TableResult]
  expect(new URL(two.url).origin).toBe(new URL(one.url).origin)

  for (const client of clients) {
    const latest = async () =>
      foundSessionsSchema.parse((await client.call('find_sessions')).structuredContent).sessions[0]
    const leaving = new AbortController()
    const slow = { ...yesOrNo, question: `Slow? ${clients.indexOf(client)}`, seats: ['lab/slow', 'lab/b'] }
    const call = client.call('ask_table', { ...slow, stop_if_cancelled: true }, { signal: leaving.signal })
    const ended = call.catch(() => 'cancelled')
    await expect.poll(async () => (await latest())?.question, { timeout: 60_000 }).toBe(slow.question)
    leaving.abort()
    expect(await ended).toBe('cancelled')
    await expect.poll(async () => (await latest())?.outcome, { timeout: 60_000 }).toBe('interrupted')
  }
  release()

  await clients[0].raw.close()
  const shown = await clients[1].call('show_session', { id: one.id })
  expect(shown.isError).toBeUndefined()
  expect(resultOf(await clients[1].call('wait_for_table', { id: two.id })).line).toBe(two.line)
})

test('[MCP8] a host that is killed in the middle: the next one gives the verdict under the same id, and no answer is paid twice', {
  timeout: 240_000,
}, async () => {
  const { handler, release } = holding('a')
  const { lab, command } = await stage({ handler })
  const child = spawn(process.execPath, [main, 'mcp'], { ...command, stdio: ['pipe', 'pipe', 'ignore'] })
  const send = (message: object) => child.stdin.write(lineOf(message))
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  send(initialize)
  await expect.poll(() => out, { timeout: 60_000 }).toContain('"id":1')
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'ask_table', arguments: { ...yesOrNo, wait: 0 } } })
  await expect.poll(() => out, { timeout: 60_000 }).toContain('"id":2')
  // Nothing but protocol is on standard output.
  const lines = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { result: ToolReply })
  const { id, status } = resultOf(lines.at(-1)!.result)
  expect(status).toBe('running')
  // Opened, a round, and two answers: that many events are saved, while the third seat is held.
  const wait = { name: 'wait_for_table', arguments: { id }, _meta: { progressToken: 'saved' } }
  send({ id: 3, method: 'tools/call', params: wait })
  await expect.poll(() => out, { timeout: 60_000 }).toContain('"progress":4')
  child.kill('SIGKILL')
  await sleep(200)
  release()
  const client = await overStdio['client 2 over stdio'](command)
  const result = resultOf(await client.call('wait_for_table', { id }))
  expect(result).toMatchObject({ status: 'finished', id, level: 'unanimous' })
  const calls = (model: string) => lab.calls.filter(({ body }) => body.model === model).length
  expect([calls('b'), calls('c'), calls('a')]).toEqual([1, 1, 2])
})

test('[MCP9] a server that runs already is used', { timeout: 240_000 }, async () => {
  const { command } = await stage()
  const server = startCommand(['serve', '--port', '0'], command.cwd, command.env)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const address = await server.wrote(/Roundtable is at (http:\S+)/)
  const client = await overStdio['client 2 over stdio'](command)
  expect(resultOf(await client.call('ask_table', yesOrNo)).url).toContain(address)
})

test('[MCP59] a host that closes standard input while its server is starting leaves no process behind', {
  timeout: 240_000,
}, async () => {
  const { command } = await stage()
  const child = spawn(process.execPath, [main, 'mcp'], { ...command, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  child.stdin.write(lineOf(initialize))
  await once(child.stdout, 'data')
  child.stdin.end(lineOf({ id: 2, method: 'tools/call', params: { name: 'find_sessions', arguments: {} } }))
  expect(await exited).toBe(0)
})
