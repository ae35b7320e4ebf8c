import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  type Said,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { type Answer, headlineKey } from '../core/question.ts'
import { numberText } from '../core/reply.ts'
import { roundAt } from '../core/session.ts'
import { campNumbers, standingsIn } from './moves.ts'
import { groupingOf, isGrouped } from './settle.ts'

const campsOf = ({ session }: TestLog, round = 0) =>
  groupingOf(session, roundAt(session, round)!).camps.map(({ id, seats }) => [id, ...seats])

const numbers = (values: readonly number[], scale: 'linear' | 'log', unit?: string): TestLog =>
  table({ seats: values.length, question: questionOf({ format: 'number', scale, unit }), prompts: 1 }).round(
    0,
    values,
  )

test('[C1] a choice makes camps by value, whatever the headline says', () => {
  const said: Said[] = ['Yes', { headline: 'No way, yes!', choice: 'Yes' }, 'No', silent(), abstained()]
  const log = table({ seats: 5, question: yesOrNo }).round(0, said)
  expect(campsOf(log)).toEqual([
    ['Yes', 's1', 's2'],
    ['No', 's3'],
  ])
  expect(isGrouped(groupingOf(log.session, roundAt(log.session, 0)!))).toBe(true)
})

test('[C1] rankings are one camp only if every place is the same', () => {
  const question = questionOf({ format: 'ranking', options: ['a', 'b', 'c'] })
  const said: Said[] = [
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['a', 'b', 'c'],
  ]
  expect(campsOf(table({ seats: 3, question }).round(0, said))).toEqual([
    ['a > b > c', 's1', 's3'],
    ['a > c > b', 's2'],
  ])
})

test('[C2] numbers are one camp if they are equal, without float noise', () => {
  expect(campsOf(numbers([0.3, 0.1 + 0.2, 0.31], 'linear'))).toEqual([
    ['0.3', 's1', 's2'],
    ['0.31', 's3'],
  ])
  expect(campsOf(numbers([100, 101], 'linear'))).toHaveLength(2)
  expect(campsOf(numbers([121932631112, 121932631113], 'linear'))).toHaveLength(2)
  expect(campsOf(numbers([1e-12, 2e-12], 'linear'))).toHaveLength(2)
  expect(campsOf(numbers([1e20, 2e20], 'linear'))).toHaveLength(2)
  expect(campsOf(numbers([0, -0], 'linear'))).toHaveLength(1)
})

test('[C2] numbers are shown as people write them', () => {
  expect(numberText(384400, 'km')).toBe('384,400 km')
  expect(numberText(1969)).toBe('1969')
  expect(numberText(1e-9)).toBe('1e-9')
})

test('[C3] on a log scale, numbers within a tenth of a camp’s first are one camp', () => {
  expect(campsOf(numbers([100, 110, 111], 'log', 'm'))).toEqual([
    ['100 m', 's1', 's2'],
    ['111 m', 's3'],
  ])
  expect(campsOf(numbers([-5, 5, 0], 'log'))).toHaveLength(3)
})

test('[C3] the order of the seats does not change who is together', () => {
  const sizes = (values: readonly number[]) => campsOf(numbers(values, 'log')).map(camp => camp.length)
  expect(sizes([1, 1.1, 1.2])).toEqual(sizes([1.1, 1.2, 1]))
  expect(sizes([1.2, 1.1, 1])).toEqual(sizes([1.1, 1.2, 1]))
})

test('[C4] on a log scale a camp keeps its id when a neighbour moves', () => {
  const log = numbers([100, 200, 300], 'log').round(1, [100, 95, 300])
  expect(campsOf(log, 1)).toEqual([
    ['100', 's1', 's2'],
    ['300', 's3'],
  ])
})

const open = (headlines: readonly string[], moderator: string | null = 'lab/moderator'): TestLog =>
  table({ seats: headlines.length, moderator }).round(0, headlines)

const grouping = ({ session }: TestLog, round = 0) => groupingOf(session, roundAt(session, round)!)

test('[C5] open answers wait for two passes of the moderator over their headlines', () => {
  const log = open(['Build it', 'Do build it', 'Never'])
  expect(grouping(log).unplaced).toEqual(['s1', 's2', 's3'])
  const once = log.and({ type: 'camps-proposed', round: 0, pass: 1, labels: { s1: 'a', s2: 'a', s3: 'b' } })
  expect(grouping(once).unplaced).toHaveLength(3)
  expect(isGrouped(grouping(once))).toBe(false)
  expect(grouping(log.labels(0, ['a', 'a', 'b'])).unplaced).toEqual([])
})

test('[C6] a label is a proposal: each membership is checked against the camp’s exemplar', () => {
  const log = open(['Build it', 'Do build it', 'Never']).labels(0, ['build', 'Build.', 'no'])
  expect(grouping(log).pending).toEqual([{ seat: 's2', exemplar: 's1@0' }])
  const settled = log.settle('same')
  expect(campsOf(settled)).toEqual([
    ['c1', 's1', 's2'],
    ['c2', 's3'],
  ])
  expect(grouping(settled)).toMatchObject({ by: 'moderator', contested: false, pending: [] })
})

test('[C7] a contradiction splits the camp, and those who left it are compared with each other', () => {
  const log = open(['Build', 'Never', 'Not ever', 'Later']).labels(0, [
    'bridge',
    'bridge',
    'bridge',
    'bridge',
  ])
  const split = ['s2', 's3', 's4'].reduce((one, seat) => one.check(0, seat, 's1@0', 'different'), log)
  expect(grouping(split).pending).toEqual([
    { seat: 's3', exemplar: 's2@0' },
    { seat: 's4', exemplar: 's2@0' },
  ])
  const done = split.check(0, 's3', 's2@0', 'same').check(0, 's4', 's2@0', 'different')
  expect(campsOf(done)).toEqual([
    ['c1', 's1'],
    ['c2', 's2', 's3'],
    ['c3', 's4'],
  ])
  expect(grouping(done).contested).toBe(false)
})

test('[C8] "same with a caveat" makes a qualified member, for as long as its words stay the same', () => {
  const log = open(['Build', 'Build, if it is cheap']).labels(0, ['a', 'a']).settle('same with a caveat')
  expect(grouping(log).camps).toMatchObject([{ seats: ['s1', 's2'], qualified: ['s2'] }])
  const later = log.round(1, ['Build', 'Build, if it is cheap'])
  expect(grouping(later, 1).camps).toMatchObject([{ id: 'c1', seats: ['s1', 's2'], qualified: ['s2'] }])
})

test('[C9] two passes that put seats together differently make the grouping contested', () => {
  const log = open(['Build', 'Do build', 'Never'])
  expect(grouping(log.labels(0, ['a', 'a', 'b'], ['a', 'b', 'b']).settle()).contested).toBe(true)
  expect(grouping(log.labels(0, ['a', 'a', 'b'], ['x', 'x', 'y']).settle()).contested).toBe(false)
})

test('[C9] passes that differ on a camp of an earlier round are contested too', () => {
  const before = open(['Build', 'Never']).labels(0, ['pro', 'contra']).round(1, ['Build', 'Rather build'])
  const both = (first: string, second: string) => before.labels(1, ['', first], ['', second]).settle()
  expect(grouping(both('pro', 'pro'), 1)).toMatchObject({ contested: false, camps: [{ id: 'c1' }] })
  expect(grouping(both('pro', 'something new'), 1).contested).toBe(true)
})

test('[C10] a pass that failed makes the grouping contested; two make it one by equal headlines', () => {
  const log = open(['Build', 'build.', 'Do build'])
  const labels = { s1: 'a', s2: 'a', s3: 'a' }
  const one = log.and({ type: 'camps-proposed', round: 0, pass: 0, labels }).fails('group', 0, '1').settle()
  expect(grouping(one)).toMatchObject({
    contested: true,
    by: 'moderator',
    camps: [{ seats: ['s1', 's2', 's3'] }],
  })
  const none = log.fails('group', 0, '0').fails('group', 0, '1')
  expect(grouping(none)).toMatchObject({
    by: 'headline',
    camps: [{ seats: ['s1', 's2'] }, { seats: ['s3'] }],
  })
})

test('[C10] after a check that failed the label stays, and the grouping is contested', () => {
  const log = open(['Build', 'Do build']).labels(0, ['a', 'a']).fails('check', 0, 's2 ~ s1@0')
  expect(grouping(log)).toMatchObject({ contested: true, pending: [], camps: [{ seats: ['s1', 's2'] }] })
})

test('[C11] without a moderator only equal headlines are one camp', () => {
  const log = open(['Build it.', ' build  IT', 'Do build it'], null)
  expect(grouping(log)).toMatchObject({ by: 'headline', unplaced: [], pending: [] })
  expect(campsOf(log)).toEqual([
    ['c1', 's1', 's2'],
    ['c2', 's3'],
  ])
})

test('[C12] equal words are always one camp, in one round or in two', () => {
  const log = open(['Build', 'Do build', 'do build.']).labels(0, ['a', 'a', 'b'])
  expect(grouping(log).pending).toEqual([{ seat: 's2', exemplar: 's1@0' }])
  const done = log.settle()
  expect(campsOf(done)).toEqual([['c1', 's1', 's2', 's3']])
  const adopted = open(['Build', 'Do build', 'Never']).labels(0, ['a', 'a', 'b']).settle()
  const later = adopted.round(1, ['Build', 'Do build', 'Do build'])
  expect(grouping(later, 1)).toMatchObject({ unplaced: [], camps: [{ id: 'c1', seats: ['s1', 's2', 's3'] }] })
})

test.each([
  ['It costs $5', 'It costs €5'],
  ['C', 'C#'],
  ['x = 1', 'x != 1'],
  ['👍', '👎'],
  ['यह उसकी है', 'यह उसका है'],
  ['It is 5', 'It is -5'],
  ['5!', '5'],
  ['5?', '5'],
  ['The ratio is 1:2', 'The ratio is 1.2'],
  ['The ratio is 1, 2', 'The ratio is 1.2'],
  ['2⁵', '25'],
  ['2^5', '2*5'],
  ['①②', '12'],
  ['3½', '31⁄2'],
  ['It needs 5 MW', 'It needs 5 mW'],
  ['n!', 'n'],
  ['It is (1, 2)', 'It is [1, 2]'],
  ['Build it?', 'Build it.'],
])('[C12] %j and %j are not the same words', (one, other) => {
  expect(campsOf(open([one, other], null))).toHaveLength(2)
  const asked = open([one, other]).labels(0, ['a', 'a'])
  expect(grouping(asked).pending).toEqual([{ seat: 's2', exemplar: 's1@0' }])
})

const signs = fc.array(
  fc.constantFrom(...'1 2 5 0 ² ⁵ ① ½ ^ * ! ? : . , ; - − + / % = < > ( ) a B m …'.split(' '), ' '),
  { minLength: 1, maxLength: 7 },
)
/** All that can carry meaning: every figure, every sign, and what stands beside a figure. */
const meaning = (text: string): string[] =>
  text.match(/\p{N}[.,;:…]*|[.,;:…]+(?=\p{N})|[^\s\p{L}.,;:…]/gu) ?? []

test('[C12] no two texts with other figures or signs are one, and a changed case, space or full stop makes no other text', () => {
  fc.assert(
    fc.property(signs, signs, (one, other) => {
      const [first, second] = [one.join('').trim(), other.join('').trim()]
      if (headlineKey(first) === headlineKey(second)) expect(meaning(first)).toEqual(meaning(second))
    }),
    { numRuns: 3_000 },
  )
  fc.assert(
    fc.property(fc.lorem(), fc.constantFrom('', '.', '…', ' .', '。'), (text, end) => {
      expect(headlineKey(` ${text.toUpperCase().replaceAll(' ', '\n ')}${end}`)).toBe(headlineKey(text))
    }),
  )
})

test('[C78] a round of older prompts keeps the equality of words that it had', () => {
  const before = table({ seats: 2, prompts: 4, moderator: null }).round(0, ['5!', '“5”'])
  expect(campsOf(before)).toEqual([['c1', 's1', 's2']])
})

test('[C13] a camp keeps its id, and a seat that keeps its words keeps its camp', () => {
  const first = open(['Build', 'Never', 'Later']).labels(0, ['build', 'never', 'later'])
  const second = first.round(1, ['Never', 'Never', 'Later'])
  const third = second.round(2, ['Never', 'Never', 'Build'])
  expect(campsOf(second, 1)).toEqual([
    ['c2', 's1', 's2'],
    ['c3', 's3'],
  ])
  expect(campsOf(third, 2)).toEqual([
    ['c1', 's3'],
    ['c2', 's1', 's2'],
  ])
})

test('[C13] a seat that moved stays in its new camp, even if its old camp is younger', () => {
  const log = open(['Build', 'Never'])
    .labels(0, ['build', 'never'])
    .round(1, ['Build', 'I now say build'])
    .labels(1, ['', 'build'])
    .settle()
    .round(2, ['Build', 'I now say build'])
  expect(campsOf(log, 2)).toEqual([['c1', 's1', 's2']])
})

test('[C14] a session that was stopped asks nothing more: unchecked memberships are contested', () => {
  const log = open(['Build', 'Do build', 'Never'])
  expect(grouping(log.stop())).toMatchObject({ by: 'headline', unplaced: [], pending: [] })
  const labelled = grouping(log.labels(0, ['a', 'a', 'b']).stop())
  expect(labelled).toMatchObject({
    contested: true,
    pending: [],
    camps: [{ seats: ['s1', 's2'] }, { seats: ['s3'] }],
  })
})

test('[C5] a round in which all say the same words needs no moderator', () => {
  const answers: Partial<Answer>[] = [{ headline: 'Build.' }, { headline: 'build' }]
  const log = table({ seats: 3 }).round(0, [...answers, silent()])
  expect(grouping(log)).toMatchObject({ by: 'moderator', unplaced: [], camps: [{ seats: ['s1', 's2'] }] })
})

test('[V80] a camp has a number only once its round is closed and its answers are compared', () => {
  const open = questionOf({ format: 'open' })
  const asked = table({ seats: 3, question: open }).round(0, ['Rail', 'Road', 'By rail'])
  const labelled = asked.labels(0, ['Rail', 'Road', 'Rail'])
  expect(campNumbers(asked.session).size).toBe(0)
  expect(campNumbers(labelled.session).size).toBe(0)
  expect(campNumbers(labelled.settle('different').session).size).toBeGreaterThan(1)
  const numbers = table({ seats: 3, question: questionOf({ format: 'number' }) }).round(0, [1, 2])
  expect(campNumbers(numbers.session).size).toBe(0)
  expect(campNumbers(numbers.stop().session).size).toBe(2)
})

test('[V80] a seat stands in no camp of a round that is not compared, even if its words are known from the one before', () => {
  const log = table({ seats: 3, question: questionOf({ format: 'open' }) })
    .round(0, ['Rail', 'Rail', 'Road'])
    .labels(0, ['Rail', 'Rail', 'Road'])
    .settle('different')
    .round(1, ['Rail'])
  const standings = ({ session }: TestLog) =>
    standingsIn(session, session.roundsSoFar[1], campNumbers(session)).map(({ number }) => number)
  expect(standings(log)).toEqual([undefined, undefined, undefined])
  expect(standings(log.stop()).filter(number => number !== undefined)).toHaveLength(1)
})
