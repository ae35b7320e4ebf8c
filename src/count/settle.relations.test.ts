import { expect, test } from 'vitest'
import { type TestLog, table } from '../../test/contracts/core-testing.ts'
import type { Relation } from '../core/event.ts'
import { roundAt } from '../core/session.ts'
import { moveOf } from './moves.ts'
import { groupingOf } from './settle.ts'

const open = (headlines: readonly string[]): TestLog => table({ seats: headlines.length }).round(0, headlines)

const grouping = ({ session }: TestLog, round = 0) => groupingOf(session, roundAt(session, round)!)

/** Both passes give the seats these positions, each with its label. */
const placed = (log: TestLog, round: number, seats: Record<string, readonly [string, string]>): TestLog => {
  const pick = (at: 0 | 1) => Object.fromEntries(Object.entries(seats).map(([seat, one]) => [seat, one[at]]))
  return [0, 1].reduce(
    (one, pass) => one.and({ type: 'camps-proposed', round, pass, positions: pick(0), labels: pick(1) }),
    log,
  )
}

const letters = open(['Be honest', 'Owe us nothing', 'Look at people first'])

test('[C20] compatible answers are two camps, even if they were labelled as one', () => {
  const log = letters.labels(0, ['a', 'a', 'a']).settle('compatible')
  expect(grouping(log)).toMatchObject({
    camps: [{ seats: ['s1'] }, { seats: ['s2'] }, { seats: ['s3'] }],
    compatible: [
      ['c1', 'c2'],
      ['c1', 'c3'],
      ['c2', 'c3'],
    ],
    unrelated: [],
    contested: false,
  })
})

test('[C20] exemplars of different camps are compared too, up to six camps', () => {
  const log = letters.labels(0, ['a', 'b', 'c'])
  expect(grouping(log)).toMatchObject({ pending: [], compatible: [] })
  expect(grouping(log).unrelated).toEqual([
    { seat: 's2', exemplar: 's1@0' },
    { seat: 's3', exemplar: 's1@0' },
    { seat: 's3', exemplar: 's2@0' },
  ])
  const known = log.check(0, 's2', 's1@0', 'compatible').check(0, 's3', 's1@0', 'different')
  expect(grouping(known)).toMatchObject({
    compatible: [['c1', 'c2']],
    unrelated: [{ seat: 's3', exemplar: 's2@0' }],
  })
  // Nothing has changed in the next round, so nothing is asked again.
  const later = known.check(0, 's3', 's2@0', 'compatible').round(1, ['Be honest', 'Owe us nothing'])
  expect(grouping(later, 1)).toMatchObject({ compatible: [['c1', 'c2']], unrelated: [] })
  const many = open(Array.from({ length: 9 }, (_, index) => `Answer ${index}`))
  expect(grouping(many.labels(0, [...'abcdefghi'])).unrelated).toHaveLength(15)
})

test('[C7] headlines that left a camp are compared with each other at once, so that two calls are enough', () => {
  const log = open(['Be honest', 'Owe us nothing', 'Look first', 'Check', 'Ask', 'Wait']).labels(
    0,
    Array(6).fill('write a letter'),
  )
  const pairsOf = (one: TestLog) => [...grouping(one).pending, ...grouping(one).unrelated]
  const answered = (one: TestLog) =>
    one.and({
      type: 'memberships-checked',
      round: 0,
      checks: pairsOf(one).map(pair => ({ ...pair, relation: 'compatible' as const })),
    })
  expect(pairsOf(log)).toHaveLength(5)
  const second = answered(log)
  expect(pairsOf(second)).toHaveLength(10)
  expect(grouping(answered(second))).toMatchObject({
    camps: { length: 6 },
    compatible: { length: 15 },
    pending: [],
    unrelated: [],
  })
})

test('[C20] without a moderator nobody is asked which camps are compatible', () => {
  const alone = table({ seats: 2, moderator: null }).round(0, ['Build', 'Never'])
  expect(grouping(alone).unrelated).toEqual([])
  expect(grouping(letters.labels(0, ['a', 'b', 'c']).stop()).unrelated).toEqual([])
  const small = table({ seats: 2, smallModerator: true }).round(0, ['Build', 'Never']).settle('different')
  expect(grouping(small)).toMatchObject({ camps: { length: 2 }, unrelated: [] })
})

test('[C21] members are compared with a headline of the round, not with their own old one', () => {
  const first = open(['Build', 'Build it', 'Do build']).labels(0, ['a', 'a', 'a']).settle()
  const later = first.round(1, ['Build now', 'Build it now', 'Do build now'])
  const log = placed(later, 1, { s1: ['c1', 'a'], s2: ['c1', 'a'], s3: ['c1', 'a'] })
  expect(grouping(log, 1).pending).toEqual([
    { seat: 's1', exemplar: 's1@0' },
    { seat: 's2', exemplar: 's1@1' },
    { seat: 's3', exemplar: 's1@1' },
  ])
  const settled = log
    .check(1, 's1', 's1@0', 'same with a caveat')
    .check(1, 's2', 's1@1', 'same')
    .check(1, 's3', 's1@1', 'same')
  expect(grouping(settled, 1)).toMatchObject({
    camps: [{ id: 'c1', exemplar: 's1@1', headline: 'Build now', seats: ['s1', 's2', 's3'], qualified: [] }],
    contested: false,
  })
})

test('[C21] a camp whose seats all moved on together is a new camp', () => {
  const first = open(['Build', 'Build it']).labels(0, ['a', 'a']).settle()
  const later = placed(first.round(1, ['Wait', 'Do wait']), 1, { s1: ['c1', 'a'], s2: ['c1', 'a'] })
  const moved = later.check(1, 's1', 's1@0', 'different').check(1, 's2', 's1@1', 'same')
  expect(moveOf(moved.session, roundAt(moved.session, 1)!, 's2')).toBeNull()
  expect(grouping(moved, 1)).toMatchObject({ camps: [{ id: 'c2', seats: ['s1', 's2'] }], pending: [] })
  const settled = moved.settle()
  expect(moveOf(settled.session, roundAt(settled.session, 1)!, 's2')).toBe('switched')
})

test('[M25] a seat whose camp changed around it hasn’t changed its mind if its own two headlines say the same', () => {
  const first = open(['Build', 'Never']).labels(0, ['a', 'b']).settle()
  const later = placed(first.round(1, ['Build it', 'Never']), 1, { s1: ['n1', 'c'] })
  const move = (relation: Relation) => {
    const { session } = later.check(1, 's1', 's1@0', relation)
    return moveOf(session, roundAt(session, 1)!, 's1')
  }
  expect(grouping(later, 1).unrelated).toContainEqual({ seat: 's1', exemplar: 's1@0' })
  expect(moveOf(later.session, roundAt(later.session, 1)!, 's1')).toBeNull()
  expect([move('same'), move('same with a caveat')]).toEqual(['refined', 'refined'])
  expect([move('compatible'), move('different')]).toEqual(['switched', 'switched'])
  const { session } = later.stop()
  expect(moveOf(session, roundAt(session, 1)!, 's1')).toBe('switched')
})

test('[C21] if the first one left the camp, the next one is asked whether it lives on', () => {
  const first = open(['Build', 'Build it', 'Do build']).labels(0, ['a', 'a', 'a']).settle()
  const later = first.round(1, ['Wait', 'Build it now', 'Do build now'])
  const log = placed(later, 1, { s1: ['c1', 'a'], s2: ['c1', 'a'], s3: ['c1', 'a'] })
    .check(1, 's1', 's1@0', 'different')
    .check(1, 's2', 's1@1', 'different')
    .check(1, 's3', 's1@1', 'different')
  expect(grouping(log, 1).pending).toEqual([
    { seat: 's2', exemplar: 's1@0' },
    { seat: 's3', exemplar: 's2@1' },
  ])
  expect(grouping(log.settle(), 1).camps.map(({ id, seats }) => [id, ...seats])).toEqual([
    ['c1', 's2', 's3'],
    ['c2', 's1'],
  ])
})

test('[C21] words that a seat repeats stand for its camp, and need no check', () => {
  const first = open(['Build', 'Build it', 'Never']).labels(0, ['a', 'a', 'b']).settle()
  const later = placed(first.round(1, ['Build now', 'Build it', 'Never']), 1, { s1: ['c1', 'a'] })
  expect(grouping(later, 1).pending).toEqual([{ seat: 's1', exemplar: 's2@1' }])
  const caveat = open(['Build', 'Build, if cheap']).labels(0, ['a', 'a']).settle('same with a caveat')
  const left = caveat.round(1, ['Never', 'Build, if cheap'])
  expect(grouping(placed(left, 1, { s1: ['n1', 'no'] }), 1).camps).toMatchObject([
    { id: 'c1', exemplar: 's2@1', seats: ['s2'], qualified: [] },
    { id: 'c2', seats: ['s1'] },
  ])
})

test('[C22] a camp has the label of its round, and keeps its id', () => {
  const first = placed(open(['Build', 'Never']), 0, { s1: ['n1', 'build'], s2: ['n2', 'never'] })
  expect(grouping(first).camps.map(({ id, label }) => [id, label])).toEqual([
    ['c1', 'build'],
    ['c2', 'never'],
  ])
  const later = placed(first.round(1, ['Build, but later', 'Never']), 1, { s1: ['c1', 'build later'] })
  expect(grouping(later, 1).camps.map(({ id, label }) => [id, label])).toEqual([
    ['c1', 'build later'],
    ['c2', 'never'],
  ])
  expect(grouping(later, 0).camps[0]?.label).toBe('build')
})

test('[C22] an id that the moderator made up is a new position, even if a camp gets that id', () => {
  const log = placed(open(['Build', 'Never', 'Wait']), 0, {
    s1: ['c2', 'build'],
    s2: ['c1', 'never'],
    s3: ['c3', 'wait'],
  })
  expect(grouping(log).camps.map(({ label, seats }) => [label, ...seats])).toEqual([
    ['build', 's1'],
    ['never', 's2'],
    ['wait', 's3'],
  ])
})

test('[C9] passes that name positions by other ids but put the same seats together agree', () => {
  const log = open(['Build', 'Do build', 'Never'])
    .and({
      type: 'camps-proposed',
      round: 0,
      pass: 0,
      labels: { s1: 'build', s2: 'build', s3: 'never' },
      positions: { s1: 'n1', s2: 'n1', s3: 'n2' },
    })
    .and({
      type: 'camps-proposed',
      round: 0,
      pass: 1,
      labels: { s1: 'yes', s2: 'yes', s3: 'no' },
      positions: { s1: 'n2', s2: 'n2', s3: 'n1' },
    })
  expect(grouping(log.settle()).contested).toBe(false)
})

test('[C23] two camps that a check finds to say the same make the grouping contested', () => {
  const log = open(['Build', 'Never']).labels(0, ['a', 'b'])
  expect(grouping(log.check(0, 's2', 's1@0', 'different')).contested).toBe(false)
  expect(grouping(log.check(0, 's2', 's1@0', 'same')).contested).toBe(true)
})

test('[C24] a log without a version compares with the first exemplar, and keeps label and exemplar', () => {
  const opened = (round: number, sealed: boolean) => ({ type: 'round-opened', round, sealed }) as const
  const answer = { reasoning: 'r', confidence: null, language: 'en' }
  const said = (round: number, headlines: readonly string[]) =>
    headlines.map((headline, index) => ({
      ...({ type: 'answer-given', round, seat: `s${index + 1}` } as const),
      answer: { ...answer, headline },
    }))
  const log = table({ seats: 2 })
    .and(opened(0, true), ...said(0, ['Build', 'Do build']))
    .labels(0, ['a', 'a'])
    .settle()
    .and(opened(1, false), ...said(1, ['Build now', 'Do build now']))
    .labels(1, ['a', 'a'])
  expect(grouping(log, 1)).toMatchObject({
    pending: [
      { seat: 's1', exemplar: 's1@0' },
      { seat: 's2', exemplar: 's1@0' },
    ],
    unrelated: [],
  })
  expect(grouping(log.settle('same with a caveat'), 1).camps).toMatchObject([
    { id: 'c1', label: 'a', exemplar: 's1@0', headline: 'Build', qualified: ['s1', 's2'] },
  ])
})
