import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { verdictOf } from '../count/verdict.ts'
import { passageOf } from './excerpts.ts'
import { citationsFrom } from './question.ts'

const lease = {
  name: 'lease.pdf',
  media: 'application/pdf',
  text: 'The rent is\n900 euros.\n\nNotice: three months before the end.',
  places: [
    { label: 'p. 1', at: 0 },
    { label: 'p. 2', at: 24 },
  ],
}
const costs = {
  name: 'costs.xlsx',
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  text: 'Month\tEuros\n\nOil\t120.5\nWood\t80 for the winter',
  places: [
    { label: 'Rent', at: 0 },
    { label: 'Heating', at: 13 },
  ],
}
const notes = { name: 'notes.txt', media: 'text/plain', text: 'First line\n\nThe tenant *may* sublet.\n' }
const exhibits = [lease, costs, notes]
const found = (exhibit: unknown, quote: string, place?: string) =>
  citationsFrom([{ exhibit, quote, place }], { exhibits })[0]

test('[Q350] cited words are looked up in the exhibit, and code says where they are', () => {
  expect(found(1, 'The rent is 900 euros', 'p. 7')).toMatchObject({ verified: true, place: 'p. 1' })
  expect(found('[1, p. 2]', '“three months” before'.replace(/[“”]/g, ''))).toMatchObject({ place: 'p. 2' })
  expect(found(2, 'Wood 80 for the winter')).toMatchObject({ verified: true, place: 'Heating, line 2' })
  expect(found(3, 'THE TENANT MAY SUBLET.')).toMatchObject({ verified: true, place: 'line 3' })
})

test('[Q351] words of another exhibit, invented words and words too short to mean anything do not stand', () => {
  expect(found(2, 'The rent is 900 euros', 'p. 1')).toMatchObject({ verified: false, place: 'p. 1' })
  expect(found(1, 'The rent is 950 euros')).toMatchObject({ verified: false })
  expect(found(1, 'rent')).toMatchObject({ verified: false })
  for (const raw of [null, 'x', [{ exhibit: 9, quote: 'The rent is' }], [{ exhibit: 1 }], [7]])
    expect(citationsFrom(raw, { exhibits })).toEqual([])
  expect(citationsFrom(Array(99).fill({ exhibit: 1, quote: 'The rent is' }), { exhibits })).toHaveLength(12)
})

test('[Q352] the passage that holds cited words is found in the text itself', () => {
  const passage = passageOf(lease.text, 'rent is 900 euros')
  expect(lease.text.slice(passage?.from, passage?.to)).toBe('The rent is\n900 euros.')
  const second = passageOf(lease.text, 'notice: three')
  expect(lease.text.slice(second?.from, second?.to)).toBe('Notice: three months before the end.')
  expect(passageOf(lease.text, 'not there')).toBeUndefined()
})

test('[V350] words that are not in the exhibit raise the flag "unsupported sources"', () => {
  const question = questionOf({ attachments: [lease] })
  const cites = (verified: boolean) => ({
    headline: 'Yes',
    citations: [{ exhibit: 1, quote: 'The rent is 900 euros', verified }],
  })
  const flagsFor = (...said: boolean[]) =>
    verdictOf(table({ seats: 2, question, citations: true }).round(0, said.map(cites)).session).flags
  expect(flagsFor(true, false)).toContain('unsupported sources')
  expect(flagsFor(true, true)).not.toContain('unsupported sources')
})
