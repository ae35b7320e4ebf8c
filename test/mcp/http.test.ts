/** MCP over HTTP, asked by the real clients. */

import { describe, expect, test } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import { type SetupOptions, startSetup } from '../server/setup.ts'
import { overHTTP } from './clients.ts'
import { holding, question, resultOf, yesOrNo } from './replies.ts'

const config = { seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m', protocol: 'poll' }
const start = (options: SetupOptions = {}) =>
  startSetup({ ...options, config: { ...config, ...options.config } })

describe.each(Object.entries(overHTTP))('%s', (_, connect) => {
  test('[MCP1] a table is asked, and the verdict comes with camps, dissent, silent seats, cost and address', async () => {
    const { address, archive } = await start({ lab: { models: { c: { fault: 'unknown-model' } } } })
    const client = await connect(address)
    expect(await client.tools()).toEqual(
      expect.arrayContaining(['ask_table', 'wait_for_table', 'show_session', 'find_sessions', 'list_models']),
    )
    const reply = await client.call('ask_table', yesOrNo)
    const result = resultOf(reply)
    expect(result).toMatchObject({ status: 'finished', outcome: 'verdict', url: `${address}/s/${result.id}` })
    expect(result.silent).toMatchObject([{ seat: 'c', why: expect.any(String) }])
    expect(result.camps!.flatMap(camp => camp.seats)).toHaveLength(2)
    expect(result.cost!.inputTokens).toBeGreaterThan(0)
    expect(reply.content[0]!.text).toContain(result.line)
    expect(fold(await archive.read(result.id)).outcome).toBe('verdict')
  })

  test('[MCP60] no argument is marked as read-only', async () => {
    const { address } = await start()
    const { tools } = await (await connect(address)).raw.listTools()
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('readOnly')
  })

  test('[MCP2] a call that is not done in time says so, and the next one gets the verdict', async () => {
    const { handler, release } = holding('a')
    const { address } = await start({ lab: { handler } })
    const client = await connect(address)
    const first = resultOf(await client.call('ask_table', { ...yesOrNo, wait: 0.5 }))
    expect(first).toMatchObject({ status: 'running', next: 'wait_for_table' })
    expect(first.so_far!.join('\n')).toContain('b answers: Yes')
    release()
    const last = resultOf(await client.call('wait_for_table', { id: first.id }))
    expect(last).toMatchObject({ status: 'finished', id: first.id, level: 'unanimous' })
  })

  test('[MCP3] a client that wants progress gets a message for each event, and the number rises', async () => {
    const { address } = await start()
    const client = await connect(address)
    const told: { progress: number; message?: string | undefined }[] = []
    const onprogress = (one: { progress: number; message?: string | undefined }) => void told.push(one)
    await client.call('ask_table', yesOrNo, { onprogress })
    expect(told.length).toBeGreaterThan(3)
    expect(told.map(({ progress }) => progress)).toEqual(
      told.map(({ progress }) => progress).toSorted((a, b) => a - b),
    )
    expect(new Set(told.map(({ progress }) => progress)).size).toBe(told.length)
    expect(told.map(({ message }) => message).join('\n')).toContain('a answers')
  })

  test('[MCP5] sessions are found and shown, and models are listed', async () => {
    const { address, ask, engine } = await start()
    const id = await ask({ question: 'How far is the Moon?', options: undefined, format: 'open' })
    await engine.idle()
    const client = await connect(address)
    const found = (await client.call('find_sessions', { words: 'moon' })).structuredContent
    expect(found).toMatchObject({ sessions: [{ id, question: 'How far is the Moon?' }], next: null })
    for (const form of ['verdict', 'markdown', 'transcript']) {
      const shown = (await client.call('show_session', { id, form })).structuredContent as { text: string }
      expect(shown.text.length).toBeGreaterThan(50)
    }
    const models = (await client.call('list_models', { search: 'claude', all: true })).structuredContent
    expect(models).toMatchObject({ total: expect.any(Number) })
  })

  test('[MCP6] what is wrong is said in words, and nothing is opened', async () => {
    const { address, archive } = await start()
    const client = await connect(address)
    const wrong = [
      ['ask_table', {}],
      ['ask_table', { question, rounds: 99 }],
      ['ask_table', { question, seats: ['nobody knows this model'] }],
      ['ask_table', { question, colour: 'red' }],
      ['wait_for_table', { id: 'no-such-session' }],
      ['wait_for_table', { id: '../../etc/passwd' }],
      ['show_session', { id: 'x', form: 'pdf' }],
      ['no_such_tool', {}],
    ] as const
    for (const [name, input] of wrong) {
      const reply = await client
        .call(name, input)
        .catch((error: Error) => ({ isError: true, content: [{ type: 'text', text: error.message }] }))
      expect([name, reply.isError]).toEqual([name, true])
      expect(reply.content[0]!.text!.length).toBeGreaterThan(5)
      expect(reply.content[0]!.text).not.toContain('at file:')
    }
    expect((await archive.find({}, { limit: 10 })).sessions).toEqual([])
  })

  test('[MCP10] sessions are resources, and prompts have a table asked', async () => {
    const { address, ask, engine } = await start()
    const id = await ask()
    await engine.idle()
    const { raw } = await connect(address)
    const uris = (await raw.listResources()).resources.map(({ uri }) => uri)
    expect(uris).toEqual(['roundtable://sessions', `roundtable://sessions/${id}`])
    const { contents } = await raw.readResource({ uri: `roundtable://sessions/${id}` })
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('Verdict') })
    await expect(raw.readResource({ uri: 'roundtable://sessions/nobody' })).rejects.toThrow('nobody')
    const names = (await raw.listPrompts()).prompts.map(({ name }) => name)
    expect(names).toEqual(['council', 'second-opinion', 'premortem', 'fact-check'])
    for (const name of names) {
      const { messages } = await raw.getPrompt({ name, arguments: { about: 'A plan.' } })
      expect(messages[0]!.content).toMatchObject({ text: expect.stringContaining('A plan.') })
    }
  })

  test('[MCP7] a server with a token wants it here too', async () => {
    const token = 'a-token-of-more-than-twenty-characters'
    const { address } = await start({ token })
    await expect(connect(address)).rejects.toThrow()
    const client = await connect(address, { authorization: `Bearer ${token}` })
    expect((await client.tools()).length).toBeGreaterThan(4)
  })
})

/** Version 1 over HTTP has no connection that a cancellation could arrive on: its call just ends at the client. */
test('[MCP4] a cancelled call stops waiting, and the session only if it was asked to', async () => {
  const { address, archive, engine } = await start({ lab: { handler: () => new Promise(() => {}) } })
  const client = await overHTTP['client 2 over HTTP'](address)
  const cancelled = async (more: object): Promise<string> => {
    const leaving = new AbortController()
    const before = new Set((await archive.find({}, { limit: 10 })).sessions.map(({ id }) => id))
    const call = client.call('ask_table', { question, ...more }, { signal: leaving.signal })
    const ended = call.catch(() => 'cancelled')
    const opened = async (): Promise<string | undefined> =>
      (await archive.find({}, { limit: 10 })).sessions.find(({ id }) => !before.has(id))?.id
    const id = await expect.poll(opened).toBeTypeOf('string').then(opened)
    leaving.abort()
    await ended
    return id!
  }
  const left = await cancelled({})
  const stopped = await cancelled({ stop_if_cancelled: true })
  await expect.poll(async () => fold(await archive.read(stopped)).stopped?.reason).toBe('interrupted')
  expect(fold(await archive.read(left)).stopped).toBeUndefined()
  expect(engine.running()).toContain(left)
})
