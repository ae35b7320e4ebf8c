import { describe, expect, test } from 'vitest'
import { answerOf, questionOf, table } from '../../test/contracts/core-testing.ts'
import { wentOnWithout } from '../count/acts.ts'
import { groupingOf } from '../count/settle.ts'
import { absenceOf } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import type { Happening } from './event.ts'
import { fold } from './fold.ts'
import { answerBefore, asSeenIn, isClosed, latestRound, longestWait } from './session.ts'

const choice = questionOf({ format: 'choice', options: ['Rail', 'Road'] })
const overdue = (seat: string, round = 0): Happening => ({
  type: 'seat-overdue',
  round,
  seat,
  by: 'patience',
})
const says = (seat: string, round: number, said: string): Happening => ({
  type: 'answer-given',
  round,
  seat,
  answer: answerOf(choice, said),
})
const timed = (seat: string, seconds: number): Happening => ({
  type: 'answer-given',
  round: 0,
  seat,
  answer: answerOf(choice, 'Rail'),
  timing: { firstToken: null, total: seconds * 1_000, attempts: 1 },
})
const opening: Happening = { type: 'round-opened', round: 0, sealed: true }

/** Two of three have answered, and the table goes on. */
const wentOn = table({ seats: 3, question: choice }).round(0, ['Rail', 'Rail']).and(overdue('s3'))

describe('a seat that takes too long', () => {
  test('[R61] a round waits for everybody until the asker gives it a patience', () => {
    const { session } = table({ seats: 3 }).and(opening, timed('s1', 20), timed('s2', 20))
    expect(longestWait(session, latestRound(session)!)).toBeUndefined()
  })

  test('[R61] nobody is too slow before two thirds have handed in, nor before ten seconds', () => {
    const begun = table({ seats: 6, patience: 2 }).and(
      opening,
      timed('s1', 1),
      timed('s2', 1),
      timed('s3', 1),
    )
    const wait = ({ session }: typeof begun): number | undefined =>
      longestWait(session, latestRound(session)!)
    expect(wait(begun)).toBeUndefined()
    expect(wait(begun.and(timed('s4', 1)))).toBe(10_000)
    expect(wait(begun.and(timed('s4', 40), timed('s5', 40), timed('s6', 40)))).toBe(41_000)
  })

  test('[R61] a seat that failed at once does not make the others slow', () => {
    const { session } = table({ seats: 3, patience: 2 }).and(opening, timed('s1', 30), {
      type: 'seat-silent',
      round: 0,
      seat: 's2',
      error: { kind: 'wrong-key', message: '401' },
      timing: { firstToken: null, total: 10, attempts: 1 },
    })
    expect(longestWait(session, latestRound(session)!)).toBe(60_000)
  })

  test('[R62] a round closes without it, and its answer still counts for that round', () => {
    const { session } = wentOn
    expect(isClosed(session, session.roundsSoFar[0]!)).toBe(true)
    expect(verdictOf(session)).toMatchObject({ agree: 2, answered: 2, of: 3 })
    expect(absenceOf(session, 0, 's3')).toBe('no answer yet')
    const after = wentOn.and(says('s3', 0, 'Rail')).session
    expect(after.roundsSoFar[0]?.handedIn.s3).toMatchObject({ status: 'given', late: 0 })
    expect(verdictOf(after)).toMatchObject({ agree: 3, level: 'unanimous' })
  })

  test('[R62] an answer that comes while the round still waits for others is not late', () => {
    const { session } = table({ seats: 3, question: choice })
      .round(0, ['Rail'])
      .and(overdue('s3'), says('s3', 0, 'Rail'), says('s2', 0, 'Rail'))
    expect(session.roundsSoFar[0]?.handedIn.s3?.late).toBeUndefined()
  })

  test('[R63] a late answer is not shown to a round that was open before it came', () => {
    const { session } = wentOn.round(1, ['Rail']).and(says('s3', 0, 'Road'))
    expect(session.roundsSoFar[0]?.handedIn.s3?.late).toBe(1)
    expect(answerBefore(asSeenIn(session, 1), 1, 's3')).toBeUndefined()
    expect(answerBefore(asSeenIn(session, 2), 2, 's3')).toBeDefined()
    expect(asSeenIn(wentOn.session, 1)).toBe(wentOn.session)
  })

  test('[R64] the moderator reads the rounds again that a late answer belongs to or came before', () => {
    const log = table({ seats: 3 })
      .round(0, ['Rail is best', 'Rail it is'])
      .and(overdue('s3'))
      .labels(0, ['Rail', 'Rail'])
      .settle()
    expect(groupingOf(log.session, log.session.roundsSoFar[0]!).unplaced).toEqual([])
    const { session } = log.and(says('s3', 0, 'Road'))
    expect(groupingOf(session, session.roundsSoFar[0]!).unplaced).toEqual(['s1', 's2', 's3'])
    expect(session.roundsSoFar[0]).toMatchObject({ proposals: [], checks: {} })
  })

  test('[R64] what the moderator had read before a late answer counts as spent only', () => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.1 }
    const report = { answer: 'Rail.', summary: 'Two say so.' }
    const { session } = wentOn
      .and(says('s3', 0, 'Road'))
      .and({ type: 'report-written', report, by: 'moderator', usage, outdated: true })
    expect(session.report).toBeUndefined()
    expect(session.moderatorUsage).toEqual([usage])
  })

  test('[R65] a person can go on without a seat that the table waits for, and without no other', () => {
    const { session } = table({ seats: 3, question: choice }).round(0, ['Rail'])
    expect(wentOnWithout(session, 's3')).toEqual({ ...overdue('s3'), by: 'person' })
    expect(() => wentOnWithout(session, 's1')).toThrow('has already handed in')
    expect(() => wentOnWithout(session, 's9')).toThrow('There is no seat')
    expect(() => wentOnWithout(wentOn.session, 's3')).toThrow("isn't waiting")
    expect(() => wentOnWithout(table({ seats: 3 }).round(0, []).session, 's1')).toThrow('Nobody has answered')
  })

  test('[R65] replaying the log gives the same state', () => {
    const { events, session } = wentOn.round(1, ['Rail']).and(says('s3', 0, 'Road'))
    expect(fold(JSON.parse(JSON.stringify(events)))).toEqual(session)
  })
})
