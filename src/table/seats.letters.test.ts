import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { emptyConfig, testReach } from '../../test/reach.ts'
import type { Letter } from '../core/opening.ts'
import { resolved } from '../count/acts.ts'
import { lessonOf } from '../letters/table.ts'
import { type CatalogueModel, createCatalogue, familyOf, successorOf } from '../models/catalogue.ts'
import { lettersFor, retiringFrom } from './seats.ts'

const model = (maker: string, name: string, more: Partial<CatalogueModel> = {}): CatalogueModel => {
  const id = name.toLowerCase().replaceAll(' ', '-')
  return {
    id: `${maker}/${id}`,
    provider: maker,
    model: id,
    name,
    maker,
    family: familyOf(name),
    abilities: {},
    ...more,
  }
}
const catalogue = createCatalogue([
  model('acme', 'Acme Large 1'),
  model('acme', 'Acme Large 2'),
  model('acme', 'Acme Large 3', { retires: '2026-12-31' }),
  model('acme', 'Acme Large 4', { retires: '2027-01-31' }),
  model('acme', 'Acme Large 5'),
  model('acme', 'Acme Mini 1'),
  model('other', 'Other 9'),
])
const letter = (from: string, text = from): Letter => ({
  ...{ id: `b/${from}`, book: 'b', from, text, writtenAt: '2026-01-01' },
  model: from,
})
const seat = (id: string, name: string) => ({ id, alias: id, name, model: name })

test('[A260] a seat reads the letters of the models before it in its family, the oldest first; without any, all', () => {
  const letters = [
    'acme/acme-large-2',
    'other/other-9',
    'acme/acme-large-1',
    'acme/acme-mini-1',
    'acme/acme-large-5',
  ].map(name => letter(name))
  const seats = [
    seat('s1', 'acme/acme-large-3'),
    seat('s2', 'other/other-9'),
    // A server of one's own serves a known model.
    seat('s3', 'lab/acme-large-2'),
    { ...seat('s4', 'outside/ann'), outside: true },
  ]
  const read = lettersFor(seats, letters, () => catalogue).letters
  expect(read?.bySeat).toEqual({
    s1: ['b/acme/acme-large-1', 'b/acme/acme-large-2'],
    s2: letters.map(({ id }) => id),
    s3: ['b/acme/acme-large-1'],
  })
  expect(lettersFor(seats, [], () => catalogue)).toEqual({ notes: [] })
})

test('[A261] a seat reads only so much: the oldest letters are left out, and a note says so', () => {
  const letters = Array.from({ length: 30 }, (_, index) => letter(`other/m-${index}`, 'x'.repeat(3_000)))
  const { letters: read, notes } = lettersFor([seat('s1', 'acme/acme-large-1')], letters, () => catalogue)
  expect(read?.bySeat.s1).toEqual(letters.slice(18).map(({ id }) => id))
  expect(read?.given).toHaveLength(12)
  expect(notes).toEqual(['Each seat first reads up to 12 letters of its line; the oldest 18 are left out.'])
})

test('[G260] the successor of a model is the next one of its family that stays', () => {
  expect(successorOf('acme/acme-large-2', catalogue)?.name).toBe('Acme Large 5')
  expect(successorOf('acme/acme-large-5', catalogue)).toBeUndefined()
  expect(successorOf('acme/acme-mini-1', catalogue)).toBeUndefined()
})

test('[G261] models of line-ups that are about to be retired are named with their day, their tables and their successor', () => {
  const acme = { id: 'acme', label: 'Acme' }
  const stub = {
    ...acme,
    known: () => ({}),
    facts: async () => ({}),
    list: async () => ({ models: [] }),
    async *stream() {},
  }
  const reach = { ...testReach(emptyConfig('/tmp'), { providers: [stub] }), catalogue: () => catalogue }
  const saved = {
    team: ['acme/acme-large-3', 'acme/acme-large-2'],
    late: ['acme/acme-large-4', 'nobody/knows'],
  }
  const at = (day: string) => retiringFrom(saved, reach, Date.parse(day))
  expect(at('2026-11-17')).toEqual([
    {
      ...{ model: 'acme/acme-large-3', name: 'Acme Large 3', retires: '2026-12-31', lineups: ['team'] },
      successor: { id: 'acme/acme-large-5', name: 'Acme Large 5' },
    },
    {
      ...{ model: 'acme/acme-large-4', name: 'Acme Large 4', retires: '2027-01-31', lineups: ['late'] },
      successor: { id: 'acme/acme-large-5', name: 'Acme Large 5' },
    },
  ])
  expect(at('2026-01-01')).toEqual([])
})

test('[A262] a lesson asks each seat of a resolved session, with the session as data and its own part in words of code', () => {
  const log = table({ question: yesOrNo, seats: 3 })
    .round(0, ['Yes', 'No', 'No'])
    .round(1, ['Yes', 'Yes', 'No'])
  const over = log.and({ type: 'session-finished', outcome: 'verdict' })
  expect(() => lessonOf(over.session)).toThrow("isn't resolved")
  const { session } = over.and(resolved(over.session, 'Yes'))
  const input = lessonOf(session)
  expect(input).toMatchObject({
    book: { lessonOf: session.id },
    protocol: 'poll',
    names: 'hidden',
    length: 120,
    citations: false,
  })
  expect(input.seats?.map(one => (typeof one === 'string' ? one : one.brief))).toEqual([
    'In that session you were participant 1. Your first answer was right, and your last one was right.',
    'In that session you were participant 2. Your first answer was wrong, and your last one was right.',
    'In that session you were participant 3. Your first answer was wrong, and your last one was wrong.',
  ])
  const { participants, rightAnswer } = JSON.parse(input.attachments![0]!.text!)
  expect(rightAnswer).toBe('Yes')
  expect(participants[1]).toMatchObject({
    first: { answer: 'No', right: false },
    last: { answer: 'Yes', right: true },
  })
})
