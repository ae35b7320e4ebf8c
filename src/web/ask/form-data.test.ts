import { describe, expect, test } from 'vitest'
import { askBodySchema } from '../../api/sessions.ts'
import type { LineupReply, ModelReply } from '../../api/table.ts'
import { notesInSight } from './details.tsx'
import {
  type AskForm,
  bodyOf,
  emptyForm,
  obstacleOf,
  sameTable,
  seatForm,
  withoutBytes,
} from './form-data.ts'
import { asWritten, everything, makersIn, searchFor, searchModels } from './models.tsx'
import { namedSeats } from './seats.tsx'

const form = (change: Partial<AskForm>): AskForm => ({ ...emptyForm, question: 'Why?', ...change })
const model = (id: string, change: Partial<ModelReply> = {}): ModelReply => ({
  id,
  name: id.split('/')[1] ?? id,
  maker: id.split('/')[0] ?? '',
  makerLabel: (id.split('/')[0] ?? '').toUpperCase(),
  context: 100_000,
  price: { input: 1, output: 2 },
  configured: true,
  missing: [],
  local: false,
  house: false,
  openWeights: false,
  ...change,
})

test('[U271] notes of an estimate are in sight as whole sentences, the first one always', () => {
  const words = (length: number): string => 'x'.repeat(length)
  expect(notesInSight([])).toBe(0)
  expect(notesInSight([words(80), words(60)])).toBe(2)
  expect(notesInSight([words(80), words(61), words(5)])).toBe(1)
  expect(notesInSight([words(500), words(5)])).toBe(1)
})

describe('the form', () => {
  test('[U50] a field that was left empty is left to the server', () => {
    expect(bodyOf(form({}))).toEqual({ question: 'Why?', format: 'open', names: 'hidden' })
  })

  test('[U50] a tolerance goes with numbers, a length and grouping with texts', () => {
    const fields = { tolerance: ' 10% ', words: '300', byIntent: true }
    expect(bodyOf(form({ ...fields, format: 'number' }))).toMatchObject({ scale: 'linear', tolerance: '10%' })
    expect(bodyOf(form({ ...fields, format: 'text' }))).toMatchObject({ length: 300, camps: 'intent' })
    expect(bodyOf(form({ ...fields, format: 'text' }))).not.toHaveProperty('tolerance')
    expect(Object.keys(bodyOf(form({ ...fields, format: 'open' })))).toEqual(['question', 'format', 'names'])
    for (const format of ['number', 'text'] as const)
      expect(askBodySchema.safeParse(bodyOf(form({ ...fields, format }))).success).toBe(true)
  })

  test('[U51] a tolerance or a length that cannot be read is said before anything is asked', () => {
    expect(obstacleOf(form({ format: 'number', tolerance: 'some' }))).toMatch(/amount such as 5/)
    for (const words of ['19', '3001', 'many'])
      expect(obstacleOf(form({ format: 'text', words }))).toMatch(/20 to 3000/)
    expect(obstacleOf(form({ format: 'open', tolerance: 'some', words: 'many' }))).toBeUndefined()
    expect(obstacleOf(form({ format: 'text', words: '300' }))).toBeUndefined()
  })

  test('[U50] every choice is part of the request', () => {
    const body = bodyOf(
      form({
        format: 'choice',
        options: 'Yes\n\n No \n',
        unit: 'metres',
        seats: [seatForm('lab/a'), seatForm({ model: 'lab/a', brief: ' Doubt. ' })],
        protocol: 'poll',
        rounds: 0,
        names: 'shown',
        language: 'fr',
        moderator: null,
        budget: '$0,50',
      }),
    )
    expect(body).toEqual({
      question: 'Why?',
      format: 'choice',
      options: ['Yes', 'No'],
      seats: [{ model: 'lab/a' }, { model: 'lab/a', brief: 'Doubt.' }],
      protocol: 'poll',
      rounds: 0,
      names: 'shown',
      language: 'fr',
      moderator: null,
      budget: 0.5,
    })
    expect(askBodySchema.parse(body)).toEqual(body)
  })

  test('[U51] the page says what is missing before it asks the server', () => {
    expect(obstacleOf(form({ question: ' ' }))).toContain('Write')
    expect(obstacleOf(form({ seats: [] }))).toContain('seat')
    expect(obstacleOf(form({ format: 'ranking', options: 'one' }))).toContain('two options')
    expect(obstacleOf(form({ budget: 'a lot' }))).toContain('dollars')
    expect(obstacleOf(form({ seats: [seatForm('lab/a')] }))).toBeUndefined()
  })

  test('[U52] a line-up is recognised by its seats', () => {
    const { seats }: Pick<LineupReply, 'seats'> = { seats: ['lab/a', { model: 'lab/b', brief: 'Doubt.' }] }
    expect(sameTable(seats.map(seatForm), seats)).toBe(true)
    expect(sameTable(seats.map(seatForm).toReversed(), seats)).toBe(false)
    expect(sameTable(['lab/a', 'lab/b'].map(seatForm), seats)).toBe(false)
  })

  test('[U53] two seats of the same model get different names', () => {
    const seats = [seatForm('lab/a'), seatForm('lab/a'), seatForm({ model: 'lab/b', name: 'Bee' })]
    expect(namedSeats(seats, new Map()).map(({ name }) => name)).toEqual(['a', 'a (2)', 'Bee'])
  })

  test('[U54] a file goes along with its bytes when the question is asked, and without them for an estimate', () => {
    const read = { name: 'a.pdf', text: 'words', media: 'application/pdf' }
    const attached = form({ attachments: [{ ...read, data: 'AAAA' }] })
    expect(bodyOf(attached).attachments).toEqual([{ name: 'a.pdf', data: 'AAAA' }])
    expect(bodyOf(withoutBytes(attached)).attachments).toEqual([read])
    expect(obstacleOf(form({ seats: [seatForm('lab/a')], reading: true }))).toMatch(/Wait until/)
  })
})

describe('the list of models', () => {
  const models = [
    model('one/dear', { price: { input: 9, output: 9 }, configured: false }),
    model('one/cheap', { local: true, context: 8_000 }),
    model('two/unknown', { price: null, openWeights: true, context: 1_000_000 }),
  ]
  const ids = (change: object): string[] =>
    searchModels(models, { ...everything, ...change }).map(({ id }) => id)

  test('[U55] models are found by words, maker and kind', () => {
    expect(ids({ words: 'ONE chea' })).toEqual(['one/cheap'])
    expect(ids({ maker: 'two' })).toEqual(['two/unknown'])
    expect(ids({ ready: true })).toEqual(['one/cheap', 'two/unknown'])
    expect(ids({ local: true })).toEqual(['one/cheap'])
    expect(ids({ openWeights: true })).toEqual(['two/unknown'])
  })

  test('[U145] a search begins with the models that are ready, if there are any', () => {
    expect(searchFor(models).ready).toBe(true)
    expect(searchFor(models.slice(0, 1)).ready).toBe(false)
    expect(searchFor([]).ready).toBe(false)
  })

  test('[U55] models that are ready come first; an unknown price comes last', () => {
    expect(ids({})).toEqual(['one/cheap', 'two/unknown', 'one/dear'])
    expect(ids({ order: 'price' })).toEqual(['one/cheap', 'one/dear', 'two/unknown'])
    expect(ids({ order: 'context' })).toEqual(['two/unknown', 'one/dear', 'one/cheap'])
    expect(makersIn(models).map(({ id }) => id)).toEqual(['one', 'two'])
  })

  test('[U55] a model that is not in the list is seated as written', () => {
    expect(asWritten(' lab/mine ', models)).toBe('lab/mine')
    expect(asWritten('one/cheap', models)).toBeUndefined()
    expect(asWritten('cheap', models)).toBeUndefined()
  })
})
