import { expect, test } from 'vitest'
import { questionOf, type Said, seatsOf, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { kindCorrected } from './acts.ts'
import { verdictOf } from './verdict.ts'

const ranking = questionOf({ format: 'ranking', options: ['a', 'b', 'c'] })
const number = questionOf({ format: 'number', unit: 'km' })

test.each([
  ['majority', questionOf({ format: 'open' }), ['Build']],
  ['majority', yesOrNo, ['Yes']],
  ['schulze', ranking, [['b', 'a', 'c']]],
  ['median', number, [7]],
])('[V34] the rule that decided is %s', (rule, question, said) => {
  expect(verdictOf(table({ seats: 1, question }).round(0, said).session).rule).toBe(rule)
})

test('[V34] nobody counted a transcript, and nothing stands beside its claim', () => {
  const imported = { from: 'transcript' as const, line: 'All 2 models agreed', changed: [] }
  const { session } = table({ seats: 2, imported, question: yesOrNo })
    .round(0, ['Yes', 'No'])
    .round(1, ['Yes', 'Yes'])
  expect(verdictOf(session)).toMatchObject({ rule: null, asides: [] })
})

const [abc, bca] = [
  ['a', 'b', 'c'],
  ['b', 'c', 'a'],
]

test.each<[string, ReturnType<typeof questionOf>, readonly Said[], readonly Said[], readonly string[]]>([
  [
    'what led then',
    yesOrNo,
    ['Yes', 'Yes', 'No'],
    ['Yes', 'No', 'No'],
    ['Of the sealed answers alone: 2 of 3 said Yes.'],
  ],
  [
    'a tie as a tie',
    yesOrNo,
    ['Yes', 'No'],
    ['No', 'No'],
    ['The sealed answers alone were a tie: 1 for Yes, 1 for No.'],
  ],
  [
    'what led before a tie',
    yesOrNo,
    ['No', 'No'],
    ['Yes', 'No'],
    ['Of the sealed answers alone: all 2 said No.'],
  ],
  ['nothing if it leads to the same', yesOrNo, ['Yes', 'Yes', 'No'], ['Yes', 'Yes', 'Yes'], []],
  ['nothing without a quorum', yesOrNo, ['Yes', silent()], ['No', 'No'], []],
  [
    'another order',
    ranking,
    [abc!, abc!, bca!],
    [abc!, bca!, bca!],
    ['Of the sealed answers alone: a > b > c.'],
  ],
  ['the same order', ranking, [abc!, abc!, bca!], [abc!, abc!, abc!], []],
  ['another median', number, [1, 2, 3], [5, 5, 3], ['Of the sealed answers alone: the median was 2 km.']],
  ['the same median', number, [1, 5, 30], [4, 5, 6], []],
])('[V35] of the sealed answers alone, %s is said', (_what, question, sealed, last, said) => {
  const { session } = table({ seats: sealed.length, question }).round(0, sealed).round(1, last)
  expect(verdictOf(session).asides).toEqual(said)
})

test('[V35] nothing stands beside a sealed round that is the last', () => {
  expect(verdictOf(table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'No']).session).asides).toEqual([])
})

test('[V36] a tie says what leads by the track record, and nothing else does', () => {
  const seats = seatsOf(4)
  const record = {
    ...Object.fromEntries(seats.map(({ model }) => [model, { right: 30, of: 60 }])),
    [seats[3]!.model]: { right: 59, of: 60 },
  }
  const asides = (said: readonly string[], known = {}) =>
    verdictOf(table({ seats, question: yesOrNo, ...known }).round(0, said).session).asides
  const words = ["By the models' track records, which decide nothing: No."]
  expect(asides(['Yes', 'Yes', 'No', 'No'], { record })).toEqual(words)
  expect(asides(['Yes', 'Yes', 'No', 'No'])).toEqual([])
  expect(asides(['Yes', 'Yes', 'No', 'No'], { record: { 'lab/other': { right: 1, of: 1 } } })).toEqual([])
  expect(asides(['Yes', 'Yes', 'Yes', 'No'], { record })).toEqual([])
  const tied = table({ seats, question: yesOrNo, record }).round(0, ['Yes', 'Yes', 'No', 'No'])
  expect(verdictOf(tied.session)).toMatchObject({ level: 'tie', leading: null })
  expect(verdictOf(tied.and(kindCorrected(tied.session, 'taste')).session).asides).toEqual([])
})

test('[V38] without a quorum nothing is said beside the count', () => {
  const { session } = table({ seats: 4, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'Yes'])
    .stop('interrupted')
  expect(verdictOf(session).asides).toEqual([])
  const none = table({ seats: 4, question: yesOrNo }).round(0, ['Yes', 'No', silent(), silent()])
  expect(verdictOf(none.session)).toMatchObject({ level: 'no-quorum', asides: [] })
})
