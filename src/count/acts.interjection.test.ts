import { describe, expect, test } from 'vitest'
import { seatsOf, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { answerBefore, latestRound, roundAt } from '../core/session.ts'
import { replaced, resumed, retried, roundAdded, stopped } from './acts.ts'
import { moveOf } from './moves.ts'
import { verdictOf } from './verdict.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const
const report = { type: 'report-written', report: { answer: 'Yes.', summary: 'So.' }, by: 'code' } as const
const over = table({ seats: 3, question: yesOrNo })
  .round(0, ['Yes', 'No', 'No'])
  .round(1, ['Yes', 'No', silent()])
  .and(report, finished)
const newcomer = { name: 'Newcomer', model: 'lab/new' }

describe('what a person does to a session', () => {
  test('[Q30] a seat that gave no answer is asked again, and what it did before is kept', () => {
    const { session } = over.and(retried(over.session, 's3'))
    expect(latestRound(session)?.handedIn.s3).toBeUndefined()
    expect(latestRound(session)?.before).toMatchObject([{ seat: 's3', handedIn: { status: 'silent' } }])
    expect(session).not.toHaveProperty('outcome')
    expect(session).not.toHaveProperty('report')
    expect(() => retried(over.session, 's1')).toThrow(/has already answered/)
    expect(() => retried(over.session, 's9')).toThrow(/no seat "s9".*s1 \(/)
  })

  test('[Q31] a newcomer takes the seat; earlier answers stay its predecessor’s, and are no change of mind', () => {
    const log = over.and(replaced(over.session, 's3', newcomer))
    expect(log.session.seats[2]).toMatchObject({ id: 's3', alias: 'C', ...newcomer })
    expect(roundAt(log.session, 0)?.handedIn.s3?.by).toEqual({
      name: seatsOf(3)[2]?.name,
      model: seatsOf(3)[2]?.model,
    })
    expect(answerBefore(log.session, 1, 's3')).toBeUndefined()
    const answered = log.and({
      type: 'answer-given',
      round: 1,
      seat: 's3',
      answer: { headline: 'Yes', reasoning: 'Since.', confidence: 0.9, language: 'en', choice: 'Yes' },
    })
    expect(moveOf(answered.session, latestRound(answered.session)!, 's3')).toBeNull()
    expect(verdictOf(answered.session)).toMatchObject({ agree: 2, flips: 0 })
    const twin = replaced(over.session, 's3', { ...newcomer, name: seatsOf(1)[0]!.name })
    expect(twin).toMatchObject({ seat: { name: `${seatsOf(1)[0]!.name} (C)` } })
  })

  test('[Q32] a round is added to a session that is over, up to what its protocol allows', () => {
    const { session } = over.and(roundAdded(over.session, 4))
    expect(session).toMatchObject({ wanted: 2, rounds: 2 })
    expect(session).not.toHaveProperty('outcome')
    expect(() => roundAdded(over.session, 1)).toThrow(/at most 1 open rounds/)
    expect(() => roundAdded(over.session, 0)).toThrow(/no open rounds: fork/)
    expect(() => roundAdded(session, 4)).toThrow(/still running/)
  })

  test('[Q33] a stopped session goes on: calls that were cut short are made after all, others stay', () => {
    const cut = table({ seats: 3, question: yesOrNo })
      .round(0, ['Yes', silent('cancelled'), silent('timeout')])
      .and({ type: 'session-stopped', reason: 'interrupted', words: 'Stop.' })
    expect(() => resumed(cut.session)).toThrow(/still being stopped/)
    const ended = cut.and(report, { type: 'session-finished', outcome: 'interrupted' })
    const { session } = ended.and(resumed(ended.session))
    expect(session).not.toHaveProperty('stopped')
    expect(Object.keys(latestRound(session)?.handedIn ?? {})).toEqual(['s1', 's3'])
    expect(() => resumed(over.session)).toThrow(/is over/)
    expect(() => resumed(session)).toThrow(/was not stopped/)
  })

  test('[Q34] nothing is asked again while the moderator reads the round, and nothing stopped twice', () => {
    const reading = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', silent()])
    expect(() => retried(reading.session, 's2')).toThrow(/when it is over/)
    const { session } = reading.and(stopped(reading.session))
    expect(session.stopped?.reason).toBe('interrupted')
    expect(() => stopped(session)).toThrow(/already being stopped/)
    expect(() => stopped(over.session)).toThrow(/already over/)
  })
})
