/** Books of letters on a real server. */

import { describe, expect, test } from 'vitest'
import { findingsSchema, sessionSchema } from '../../src/api/sessions.ts'
import { retiringSchema } from '../../src/api/table.ts'
import { fold } from '../../src/core/fold.ts'
import { lettersIn } from '../../src/count/letters.ts'
import { createCatalogue } from '../../src/models/catalogue.ts'
import type { RecordedCall } from '../lab/call.ts'
import { type Setup, startSetup } from './setup.ts'

const task = {
  question: 'Write a letter to your successor about tides.',
  format: 'text',
  options: undefined,
  protocol: 'roundtable',
  moderator: 'lab/m',
  seats: ['lab/a', 'lab/b', 'lab/c'],
}
const book = { ...task, book: {} }

const written = async (setup: Setup, body: object): Promise<string> => {
  const id = await setup.ask(body)
  await setup.engine.idle()
  return id
}

test('[H262] books are found by being books', async () => {
  const setup = await startSetup()
  const id = await written(setup, book)
  await written(setup, {})
  const reply = await setup.call('/api/sessions?books=true')
  expect(findingsSchema.parse(await reply.json()).sessions).toMatchObject([{ id, book: true }])
})

test('[H263] a book is written as texts that nobody groups', async () => {
  const { call } = await startSetup()
  const refused = async (more: object): Promise<string> => {
    const reply = await call('/api/sessions', { json: { ...book, ...more } })
    expect(reply.status).toBe(422)
    return reply.text()
  }
  expect(await refused({ camps: 'intent' })).toContain('not grouped')
  expect(await refused({ format: 'open' })).toContain('Letters are texts')
})

test('[H267] a fork of a book is a book, from the start and at a round', async () => {
  const setup = await startSetup()
  const id = await written(setup, book)
  for (const json of [{}, { at: 0 }]) {
    const reply = await setup.call(`/api/sessions/${id}/fork`, { json })
    expect(reply.status).toBe(201)
    const { id: fork } = (await reply.json()) as { id: string }
    await setup.engine.idle()
    expect(fold(await setup.archive.read(fork)).book).toEqual({})
  }
})

const promptsOf = (calls: readonly RecordedCall[]): string[] =>
  calls.map(({ body }) => body.messages.map(({ content }) => content).join('\n'))

describe('reading letters', () => {
  test('[H264] each seat reads the letters behind a fence before its sealed answer, and only then; the log keeps who got which', async () => {
    const setup = await startSetup()
    const read = await written(setup, book)
    const before = setup.lab.calls.length
    const id = await written(setup, { letters: [read], protocol: 'roundtable', moderator: 'lab/m' })
    const prompts = promptsOf(setup.lab.calls.slice(before))
    const withLetters = prompts.filter(prompt => prompt.includes('letters that models before you wrote'))
    expect(withLetters).toHaveLength(3)
    for (const prompt of withLetters) {
      expect(prompt).toContain('nobody has read anybody yet')
      expect(prompt).toMatch(/<<<\w+\n(\{"from":"[abc]","letter":"These words are of [^\n]*\n){3}\w+>>>/)
    }
    const session = fold(await setup.archive.read(id))
    const ids = lettersIn(fold(await setup.archive.read(read))).map(({ seat }) => `${read}/${seat}`)
    expect(session.letters?.bySeat).toEqual({ s1: ids, s2: ids, s3: ids })
    const shown = await (await setup.call(`/api/sessions/${id}`)).json()
    expect(sessionSchema.parse(shown).letters?.bySeat.s1).toEqual(ids)
  })

  test('[H268] a fork of a session that read letters keeps them, at a round and from the start', async () => {
    const setup = await startSetup()
    const read = await written(setup, book)
    const id = await written(setup, { letters: [read], protocol: 'roundtable', moderator: 'lab/m' })
    const { letters } = fold(await setup.archive.read(id))
    for (const json of [{ at: 0 }, {}]) {
      const reply = await setup.call(`/api/sessions/${id}/fork`, { json })
      expect(reply.status).toBe(201)
      const { id: fork } = (await reply.json()) as { id: string }
      expect(fold(await setup.archive.read(fork)).letters).toEqual(letters)
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
