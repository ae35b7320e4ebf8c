/** Books of letters on a real server: what a sealed one shows on the wire, over every route. */

import { describe, expect, test } from 'vitest'
import { findingsSchema, sessionSchema } from '../../src/api/sessions.ts'
import { retiringSchema } from '../../src/api/table.ts'
import { fold } from '../../src/core/fold.ts'
import { lettersIn } from '../../src/count/letters.ts'
import { createCatalogue } from '../../src/models/catalogue.ts'
import type { RecordedCall } from '../lab/call.ts'
import { overHTTP } from '../mcp/clients.ts'
import { type Setup, startSetup } from './setup.ts'
import { openStream } from './stream.ts'

/** What every letter of the lab has, and its headline and reasons. */
const letter = /These words are of|a small team should|A small start keeps/

const task = {
  question: 'Write a letter to your successor about tides.',
  format: 'text',
  options: undefined,
  protocol: 'roundtable',
  moderator: 'lab/m',
  seats: ['lab/a', 'lab/b', 'lab/c'],
}
const sealed = { ...task, book: { sealed: true } }

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Every GET of the document with the session, its link and its seats filled in. */
const pathsOf = async (
  { call }: Setup,
  values: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> => {
  const { paths } = (await (await call('/api/openapi.json')).json()) as Document
  return Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .flatMap(([path]) =>
      [...path.matchAll(/\{(\w+)\}/g)].reduce<string[]>(
        (some, [hole, name]) =>
          some.flatMap(one => (values[name!] ?? ['s1']).map(value => one.replace(hole, value))),
        [path],
      ),
    )
}

/** All that a route sends; of a stream, what it has sent once the session's last event is there. */
const sentAt = async ({ address }: Setup, path: string, last: number): Promise<string> => {
  if (!path.endsWith('/events')) return (await fetch(`${address}${path}`)).text()
  const stream = await openStream(`${address}${path}`)
  const messages = await stream.until(all => all.some(({ id }) => Number(id) === last))
  stream.cut()
  return JSON.stringify(messages)
}

const written = async (setup: Setup, body: object): Promise<string> => {
  const id = await setup.ask(body)
  await setup.engine.idle()
  return id
}

describe('a sealed book', () => {
  test('[H260] shows no word of its letters on any route, in any export, through its link or to MCP clients, until it is opened', async () => {
    const setup = await startSetup()
    const { call, archive } = setup
    const id = await written(setup, sealed)
    const log = await archive.read(id)
    expect(JSON.stringify(log)).toMatch(letter)
    const last = log.at(-1)!.position
    const { token } = (await (await call(`/api/sessions/${id}/share`, { method: 'POST' })).json()) as {
      token: string
    }
    const values = { id: [id], token: [token], format: ['json', 'markdown', 'html', 'transcript'] }
    const paths = [
      ...(await pathsOf(setup, values)),
      ...[`/api/sessions/${id}?x`, `/shared/${token}`, `/api/sessions/${id}/export/html?compact=true`],
    ]
    expect(paths).toEqual(expect.arrayContaining([`/api/sessions/${id}`, `/api/shared/${token}/events`]))
    for (const path of paths) expect(await sentAt(setup, path, last), path).not.toMatch(letter)
    const fork = await call(`/api/sessions/${id}/fork`, { json: {} })
    expect(await fork.text()).not.toMatch(letter)
    for (const connect of Object.values(overHTTP)) {
      const client = await connect(setup.address)
      expect(JSON.stringify(await client.call('show_session', { id }))).not.toMatch(letter)
      expect(JSON.stringify(await client.call('wait_for_table', { id }))).not.toMatch(letter)
      expect(JSON.stringify(await client.call('find_sessions', { words: 'tides' }))).not.toMatch(letter)
    }
    expect((await call(`/api/sessions/${id}/open`, { method: 'POST' })).status).toBe(202)
    expect((await call(`/api/sessions/${id}/open`, { method: 'POST' })).status).toBe(409)
    for (const path of [`/api/sessions/${id}`, `/api/shared/${token}`, `/api/sessions/${id}/export/html`])
      expect(await sentAt(setup, path, last), path).toMatch(letter)
  }, 60_000)

  test('[H261] live: a watcher from the first moment gets every event, and no word of a letter', async () => {
    const setup = await startSetup()
    const id = await setup.ask(sealed)
    const stream = await openStream(`${setup.address}/api/sessions/${id}/events`)
    const messages = await stream.until(all => all.some(({ data }) => data.includes('"session-finished"')))
    stream.cut()
    expect(messages.filter(({ data }) => data.includes('"answer-given"')).length).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify(messages)).not.toMatch(letter)
  })

  test('[H262] isn’t found by the words of its letters until it is opened; books are found by being books', async () => {
    const setup = await startSetup()
    const id = await written(setup, sealed)
    await written(setup, {})
    const find = async (query: string) =>
      findingsSchema.parse(await (await setup.call(`/api/sessions?${query}`)).json()).sessions
    expect(await find('words=These+words+alone')).toEqual([])
    expect(await find('books=true')).toMatchObject([{ id, book: 'sealed' }])
    await setup.call(`/api/sessions/${id}/open`, { method: 'POST' })
    expect(await find('words=These+words+alone')).toMatchObject([{ id, book: 'open' }])
  })

  test('[H263] is written by models alone, as texts that nobody groups', async () => {
    const { call, ask, engine } = await startSetup()
    const refused = async (more: object): Promise<string> => {
      const reply = await call('/api/sessions', { json: { ...sealed, ...more } })
      expect(reply.status).toBe(422)
      return reply.text()
    }
    expect(await refused({ outside: ['Ann'] })).toContain('Only models write a sealed book')
    expect(await refused({ camps: 'intent' })).toContain('not grouped')
    expect(await refused({ format: 'open' })).toContain('Letters are texts')
    const book = await ask(sealed)
    await engine.idle()
    const forked = await call(`/api/sessions/${book}/fork`, { json: { at: 0 } })
    expect(forked.status).toBeGreaterThanOrEqual(400)
    expect(await forked.text()).toContain('Open the book first')
    expect(await refused({ people: ['Ann'] })).toContain('Only models write a sealed book')
    expect((await call('/api/sessions/nobody/open', { method: 'POST' })).status).toBe(404)
  })

  test('[H267] isn’t copied by a fork or told to a follow-up until it is opened; a fork from the start is sealed, too', async () => {
    const setup = await startSetup()
    const { call, archive } = setup
    const id = await written(setup, sealed)
    const followUp = { ...task, after: id }
    const copy = () => call(`/api/sessions/${id}/fork`, { json: { at: 0 } })
    const tell = () => call('/api/sessions', { json: { ...followUp, carry: 'camps' } })
    for (const [ask, words] of [
      [copy, "The letters of a sealed book aren't copied"],
      [tell, 'is a sealed book, so nothing can be told of it'],
    ] as const) {
      const reply = await ask()
      expect(reply.status).toBe(422)
      expect(await reply.text()).toContain(words)
    }
    const untold = await written(setup, { ...followUp, carry: 'none' })
    const again = await call(`/api/sessions/${id}/fork`, { json: {} })
    const { id: fork } = (await again.json()) as { id: string }
    await setup.engine.idle()
    expect(fold(await archive.read(fork)).book).toEqual({ sealed: true })
    const thread = await (await call(`/api/sessions/${untold}/thread`)).text()
    expect(thread).toContain(fork)
    expect(thread).not.toMatch(letter)

    await call(`/api/sessions/${id}/open`, { method: 'POST' })
    const copied = await copy()
    expect(copied.status).toBe(201)
    expect((await tell()).status).toBe(201)
    const { id: open } = (await copied.json()) as { id: string }
    await setup.engine.idle()
    const session = fold(await archive.read(open))
    expect(session).toMatchObject({ book: {}, outcome: 'verdict', forkedFrom: { session: id, round: 0 } })
    expect(await (await call(`/api/sessions/${open}`)).text()).toMatch(letter)
  }, 60_000)
})

const promptsOf = (calls: readonly RecordedCall[]): string[] =>
  calls.map(({ body }) => body.messages.map(({ content }) => content).join('\n'))

describe('reading letters', () => {
  test('[H264] each seat reads the letters behind a fence before its sealed answer, and only then; the log keeps who got which', async () => {
    const setup = await startSetup()
    const book = await written(setup, sealed)
    const before = setup.lab.calls.length
    const id = await written(setup, { letters: [book], protocol: 'roundtable', moderator: 'lab/m' })
    const prompts = promptsOf(setup.lab.calls.slice(before))
    const withLetters = prompts.filter(prompt => prompt.includes('letters that models before you wrote'))
    expect(withLetters).toHaveLength(3)
    for (const prompt of withLetters) {
      expect(prompt).toContain('nobody has read anybody yet')
      expect(prompt).toMatch(/<<<\w+\n(\{"from":"[abc]","letter":"These words are of [^\n]*\n){3}\w+>>>/)
    }
    const session = fold(await setup.archive.read(id))
    const ids = lettersIn(fold(await setup.archive.read(book))).map(({ seat }) => `${book}/${seat}`)
    expect(session.letters?.bySeat).toEqual({ s1: ids, s2: ids, s3: ids })
    const shown = await (await setup.call(`/api/sessions/${id}`)).text()
    expect(shown).not.toContain('These words are of')
    expect(sessionSchema.parse(JSON.parse(shown)).letters?.bySeat.s1).toEqual(ids)
  })

  test('[H268] a fork of a session that read letters keeps them, at a round and from the start', async () => {
    const setup = await startSetup()
    const book = await written(setup, sealed)
    const id = await written(setup, { letters: [book], protocol: 'roundtable', moderator: 'lab/m' })
    const { letters } = fold(await setup.archive.read(id))
    for (const json of [{ at: 0 }, {}]) {
      const reply = await setup.call(`/api/sessions/${id}/fork`, { json })
      expect(reply.status).toBe(201)
      const { id: fork } = (await reply.json()) as { id: string }
      expect(fold(await setup.archive.read(fork)).letters).toEqual(letters)
      expect(await (await setup.call(`/api/sessions/${fork}`)).text()).not.toMatch(/These words are of/)
    }
    await setup.engine.idle()
  })

  test('[H265] a book that isn’t there, isn’t a book or isn’t over is refused in words', async () => {
    const setup = await startSetup()
    const plain = await written(setup, {})
    const ask = async (letters: readonly string[]): Promise<string> =>
      (await setup.call('/api/sessions', { json: { ...task, letters } })).text()
    expect(await ask(['nobody'])).toContain('There is no book of letters')
    expect(await ask([plain])).toContain('is not a book of letters')
    expect(await ask(['all'])).toContain('There are no books of letters yet')
  })
})

test('[H266] models of line-ups that their provider turns off soon are listed', async () => {
  const known = {
    id: 'lab/a',
    provider: 'lab',
    model: 'a',
    name: 'A',
    maker: 'lab',
    family: '',
    abilities: {},
  }
  const catalogue = createCatalogue([{ ...known, retires: '2026-12-31' }])
  const { call } = await startSetup({
    config: { lineups: { team: ['lab/a', 'lab/b'] } },
    reach: { catalogue: () => catalogue },
    clock: () => Date.parse('2026-11-17'),
  })
  const reply = await call('/api/retiring')
  expect(retiringSchema.parse(await reply.json())).toEqual({
    models: [{ model: 'lab/a', name: 'A', retires: '2026-12-31', lineups: ['team'] }],
  })
})
