import fc from 'fast-check'
import { expect, test } from 'vitest'
import { abstained, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { hash, nonceFor, shuffled } from './basics.ts'
import { eventSchema } from './event.ts'
import { fold } from './fold.ts'
import { answerBefore, isClosed, latestRound, roundAt, seatOf } from './session.ts'

fc.configureGlobal({ seed: 2026 })

const log = table({ seats: 3, question: yesOrNo })
  .round(0, ['Yes', silent(), abstained()])
  .round(1, [silent(), 'No'])

test('[Q1] the same events fold to the same state, through JSON and back', () => {
  const copy = log.events.map(event => eventSchema.parse(JSON.parse(JSON.stringify(event))))
  expect(fold(copy)).toEqual(fold(log.events))
  expect(fold(log.events)).toEqual(fold(log.events))
})

test('[Q2] a log begins with session-opened, and opens one session only', () => {
  expect(() => fold(log.events.slice(1))).toThrow(/begins with session-opened/)
  expect(() => fold([])).toThrow(/empty log/)
  expect(() => fold([...log.events, log.events[0]!])).toThrow(/opens a second session/)
})

test('[Q1] the state knows who has answered, who is missing and who is still being asked', () => {
  const { session } = log
  expect(session.position).toBe(log.events.length)
  expect(isClosed(session, roundAt(session, 0)!)).toBe(true)
  expect(isClosed(session, latestRound(session)!)).toBe(false)
  expect(answerBefore(session, 1, 's2')).toBeUndefined()
  expect(answerBefore(session, 2, 's1')?.choice).toBe('Yes')
  expect(() => seatOf(session, 's9')).toThrow(/No seat s9/)
})

test('[Q1] the moderator’s calls are counted, and its failures kept', () => {
  const usage = { inputTokens: 10, outputTokens: 2, costUsd: null }
  const { session } = table()
    .round(0, ['Yes'])
    .and(
      { type: 'digest-written', round: 0, digest: { positions: [] }, by: 'moderator', usage },
      {
        type: 'moderator-failed',
        task: 'challenge',
        round: 0,
        error: { kind: 'timeout', message: 'late' },
        usage,
      },
      { type: 'report-written', report: { answer: 'Yes.', summary: 'So.' }, by: 'code', rejected: ['wrong'] },
      { type: 'session-finished', outcome: 'verdict' },
    )
  expect(session.moderatorUsage).toHaveLength(2)
  expect(session.failures).toMatchObject([{ task: 'challenge', round: 0 }])
  expect(roundAt(session, 0)?.objection).toBeNull()
  expect(session).toMatchObject({ outcome: 'verdict', reportBy: 'code', rejectedReports: ['wrong'] })
})

test('[Q3] the same seed gives the same order and the same nonces; another name another one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.string(), (items, name) => {
      expect(shuffled(items, name)).toEqual(shuffled(items, name))
      expect(shuffled(items, name).toSorted()).toEqual(items.toSorted())
    }),
  )
  expect(nonceFor('one')).toMatch(/^[0-9a-f]{16}$/)
  expect(nonceFor('one')).not.toBe(nonceFor('other'))
})

test('[Q53] nonces have more than 32 bits: two names with the same 32-bit hash have different ones', () => {
  const byHash = new Map<number, string>()
  let pairs = 0
  for (let index = 0; pairs < 3; index++) {
    const name = `nonce ${index}`
    const same = byHash.get(hash(name))
    if (same !== undefined) {
      pairs++
      expect(nonceFor(name.slice(6))).not.toBe(nonceFor(same.slice(6)))
    }
    byHash.set(hash(name), name)
  }
})
