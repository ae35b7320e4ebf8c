import { expect, test } from 'vitest'
import { type TestLog, table } from '../../test/contracts/core-testing.ts'
import { type Command, commandKey } from '../core/event.ts'
import { checkKey, latestRound } from '../core/session.ts'
import { groupingOf } from '../count/settle.ts'
import { groupClosed } from './steps.ts'

const next = ({ session }: TestLog): Command[] => groupClosed(session)
const grouping = ({ session }: TestLog) => groupingOf(session, latestRound(session)!)

const four = table({ seats: 4 })
  .round(0, ['Build', 'Do build', 'Build it', 'Never'])
  .labels(0, ['a', 'a', 'a', 'b'])

const pairs = [
  { seat: 's2', exemplar: 's1@0' },
  { seat: 's3', exemplar: 's1@0' },
  { seat: 's4', exemplar: 's1@0' },
]
const checked = (log: TestLog, count: number): TestLog =>
  log.and({
    type: 'memberships-checked',
    round: 0,
    checks: pairs.slice(0, count).map(pair => ({ ...pair, relation: 'same' as const })),
    missing: pairs.slice(count),
  })

test('[P81] memberships and camps are checked in one call, and then nothing is asked', () => {
  expect(next(four)).toEqual([{ type: 'check-memberships', round: 0, pairs }])
  const checks = pairs.map(pair => ({
    ...pair,
    relation: pair.seat === 's4' ? ('different' as const) : ('same' as const),
  }))
  const done = four.and({ type: 'memberships-checked', round: 0, checks })
  expect(next(done)).toEqual([])
  expect(grouping(done)).toMatchObject({ contested: false, camps: [{ seats: ['s1', 's2', 's3'] }, {}] })
})

test('[P81] commands for other pairs have other keys, so that none is started twice and none is left out', () => {
  const [all] = next(four)
  expect(commandKey(all!)).toBe(commandKey({ ...all } as Command))
  expect(commandKey(all!)).not.toBe(
    commandKey({ type: 'check-memberships', round: 0, pairs: pairs.slice(1) }),
  )
})

test('[P81] a large table is checked in batches by seat, which stay the same while others come back', () => {
  const headlines = Array.from({ length: 60 }, (_, index) => `Answer ${index}`)
  const log = table({ seats: 60 })
    .round(0, headlines)
    .labels(0, [...Array<string>(59).fill('a'), 'b'])
  const batches = next(log)
  expect(batches.map(one => (one.type === 'check-memberships' ? one.pairs.length : 0))).toEqual([24, 25, 9])
  const second = batches[1] as Command & { type: 'check-memberships' }
  const checks = second.pairs.map(pair => ({ ...pair, relation: 'same' as const }))
  const later = log.and({ type: 'memberships-checked', round: 0, checks })
  expect(next(later).map(commandKey)).toEqual([batches[0]!, batches[2]!].map(commandKey))
  // The camps are compared when they are settled.
  expect(next(later.settle())).toEqual([
    { type: 'check-membership', round: 0, seat: 's60', exemplar: 's1@0' },
  ])
})

test('[P82] pairs that a reply left out are checked one by one, and camps are left alone', () => {
  const partly = checked(four, 1)
  expect(next(partly)).toEqual([{ type: 'check-membership', round: 0, seat: 's3', exemplar: 's1@0' }])
  expect(next(partly.check(0, 's3', 's1@0', 'same'))).toEqual([])
  const failed = partly.fails('check', 0, checkKey('s3', 's1@0'))
  expect(next(failed)).toEqual([])
  expect(grouping(failed).contested).toBe(true)
})

test('[P82] a call for several pairs that failed makes the grouping contested', () => {
  const log = four.and({
    type: 'moderator-failed',
    task: 'check',
    round: 0,
    subjects: pairs.map(({ seat, exemplar }) => checkKey(seat, exemplar)),
    error: { kind: 'server-error', message: '500' },
  })
  expect(next(log)).toEqual([])
  expect(grouping(log)).toMatchObject({ contested: true, camps: [{ seats: ['s1', 's2', 's3'] }, {}] })
})

test('[P82] camps whose comparison failed are not compatible, and the grouping stands', () => {
  const known = ['s2', 's3'].reduce((log, seat) => log.check(0, seat, 's1@0', 'same'), four)
  const log = known.fails('check', 0, checkKey('s4', 's1@0'))
  expect(next(log)).toEqual([])
  expect(grouping(log)).toMatchObject({ contested: false, compatible: [], unrelated: [] })
})
