import { expect, test } from 'vitest'
import { scripted } from '../models/scripted.ts'
import { type ReachOptions, reachOf } from './reach.ts'
import { openingOf } from './resolve.ts'

const lab = { id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }

const opening = (seats: readonly string[], options: ReachOptions, moderator?: string | null) => {
  const reach = reachOf({ env: {}, ...options })
  const input = { question: 'Why?', seats, ...(moderator !== undefined && { moderator }) }
  const { opened, notes } = openingOf(input, 'x', reach)
  return { moderator: opened.moderator, notes }
}

const listing =
  (...models: string[]) =>
  (provider: string): readonly string[] =>
    provider === 'lab' ? models : []

test('[K27] a table of endpoints without seats names models that they have', () => {
  const endpoints = [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }]
  const refused = (listed: readonly string[]) => () =>
    openingOf({ question: 'Is it so?' }, 'x', reachOf({ env: {}, endpoints, listedBy: () => listed }))
  expect(refused(['a', 'b', 'c', 'd'])).toThrow('name seats, such as lab/a, lab/b, lab/c.')
  expect(refused([])).toThrow('name seats, such as lab/model-name.')
})

test('[R75] at a table of one’s own endpoints, another model of theirs moderates, the largest by its name', () => {
  const listedBy = listing('m0', 'm1', 'qwen3:8b', 'qwen3:32b', 'nomic-embed-text', 'tiny:1b')
  expect(opening(['lab/m0', 'lab/m1'], { endpoints: [lab], listedBy })).toEqual({
    moderator: 'lab/qwen3:32b',
    notes: [],
  })
  const models = { m0: {}, m9: {} }
  expect(opening(['lab/m0'], { endpoints: [{ ...lab, models }] }).moderator).toBe('lab/m9')
})

test('[R76] if no other model can be reached, one of the panel moderates, and that is said before asking', () => {
  const listedBy = listing('m0', 'm1', 'tiny:1b')
  const { moderator, notes } = opening(['lab/m0', 'lab/m1'], { endpoints: [lab], listedBy })
  expect(moderator).toBe('lab/m0')
  expect(notes).toEqual([
    'lab/m0 sits at the table and also moderates: no model off the table can be reached.',
  ])
})

test('[R77] a moderator that nobody named comes from the servers that sit at the table', () => {
  const other = { id: 'other', baseURL: 'https://elsewhere.example/v1', models: { large: {} } }
  const env = { OPENAI_API_KEY: 'key-of-openai' }
  expect(opening(['lab/m0'], { endpoints: [lab, other], env }).moderator).toBe('lab/m0')
})

test('[R78] if nobody moderates, that is said before asking', () => {
  const words = ['Nobody moderates: open answers are not grouped, and code writes the report.']
  expect(opening(['lab/m0'], { endpoints: [lab] }, null)).toEqual({ moderator: null, notes: words })
  const providers = [scripted(() => 'x')]
  expect(opening(['scripted/a'], { providers })).toEqual({ moderator: null, notes: words })
})
