import { describe, expect, test } from 'vitest'
import {
  answerOf,
  questionOf,
  type Said,
  seatsOf,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { sampleLog } from '../../test/sample-session.ts'
import type { Happening, Usage } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { kindCorrected, replaced, resolved } from './acts.ts'
import { sealedSplitOf } from './splits.ts'
import { appearancesIn, scoresOf, trackRecordOf } from './track-record.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const
const [glm, gemini, grok] = seatsOf(3).map(({ model }) => model) as [string, string, string]

const ended = (...rounds: readonly (readonly Said[])[]): TestLog =>
  rounds
    .reduce((log, said, index) => log.round(index, said), table({ seats: 3, question: yesOrNo }))
    .and(finished)
const known = (log: TestLog, answer: string): TestLog => log.and(resolved(log.session, answer))
const sure = (choice: string, confidence: number | null): Said => ({ headline: choice, choice, confidence })

const recordOf = (model: string, ...logs: readonly TestLog[]) =>
  trackRecordOf(logs.map(({ session }) => session)).models.find(one => one.model === model)!

test('[TR3] accuracy counts resolved questions only, sealed and final separately', () => {
  const logs = [
    known(ended(['Yes', 'No', 'No'], ['No', 'No', silent()]), 'No'),
    known(ended(['Yes', 'Yes', 'No']), 'Yes'),
    ended(['Yes', 'Yes', 'Yes']),
  ]
  expect(recordOf(glm, ...logs)).toMatchObject({
    sessions: 3,
    sealed: { right: 1, of: 2 },
    final: { right: 2, of: 2 },
  })
  expect(recordOf(grok, ...logs)).toMatchObject({
    sealed: { right: 1, of: 2 },
    final: { right: 0, of: 1 },
    silent: 1,
  })
  const record = trackRecordOf(logs.map(({ session }) => session))
  expect(record).toMatchObject({ sessions: 3, resolved: 2 })
  expect(record.models[0]?.model).toBe(gemini)
  expect(scoresOf(record)[gemini]).toEqual({ right: 2, of: 2 })
})

test('[TR3] a session that isn’t finished doesn’t count', () => {
  const { session } = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No'])
  expect(trackRecordOf([session])).toEqual({
    sessions: 0,
    resolved: 0,
    models: [],
    agreement: [],
    splits: {},
  })
})

test('[TR4] Brier score and calibration come from sealed confidence', () => {
  const logs = [
    known(ended([sure('Yes', 0.9), 'No', 'No'], [sure('Yes', 0.1), 'No', 'No']), 'Yes'),
    known(ended([sure('Yes', 0.8), 'No', 'No']), 'No'),
    known(ended([sure('Yes', 1), 'No', 'No']), 'Yes'),
    known(ended([sure('Yes', 0.1), 'No', 'No']), 'No'),
    known(ended([sure('Yes', null), 'No', 'No']), 'No'),
  ]
  const { brier, calibration } = recordOf(glm, ...logs)
  expect(brier).toBeCloseTo((0.01 + 0.64 + 0 + 0.01) / 4, 12)
  expect(calibration).toEqual([
    { from: 0, to: 0.2, count: 1, said: 0.1, right: 0 },
    { from: 0.8, to: 1, count: 3, said: expect.closeTo(0.9, 12), right: 2 / 3 },
  ])
  expect(recordOf(glm, ended(['Yes', 'No', 'No']))).toMatchObject({ brier: null, calibration: [] })
})

test('[TR5] flips from right to wrong and from wrong to right are counted separately', () => {
  const log = ended(['Yes', 'No', 'No'], ['No', 'Yes', 'No'], ['Yes', 'Yes', 'No'])
  expect(recordOf(glm, known(log, 'Yes'))).toMatchObject({ rightToWrong: 1, wrongToRight: 1 })
  expect(recordOf(gemini, known(log, 'Yes'))).toMatchObject({ rightToWrong: 0, wrongToRight: 1 })
  expect(recordOf(gemini, known(log, 'No'))).toMatchObject({ rightToWrong: 1, wrongToRight: 0 })
  expect(recordOf(gemini, log)).toMatchObject({ rightToWrong: 0, wrongToRight: 0 })
})

test('[TR5] between two answers that both count as right, nothing is lost', () => {
  const question = questionOf({ format: 'number', scale: 'log' })
  const log = table({ seats: 2, question }).round(0, [1_000, 1_110]).round(1, [1_110, 1_110]).and(finished)
  expect(recordOf(glm, known(log, '1050'))).toMatchObject({
    sealed: { right: 1, of: 1 },
    rightToWrong: 0,
    wrongToRight: 0,
  })
})

test('[TR6] persuasiveness is pull; stubbornness is staying while another camp leads', () => {
  const logs = [
    ended(['Yes', 'No', 'No'], ['Yes', 'Yes', 'No']),
    ended(['Yes', 'No', 'No'], ['No', 'No', 'No']),
  ]
  expect(recordOf(glm, ...logs)).toMatchObject({
    persuasion: { adopters: 1, exposures: 4 },
    stubbornness: { stayed: 1, opposed: 2 },
  })
  expect(recordOf(grok, ...logs)).toMatchObject({ stubbornness: { stayed: 0, opposed: 0 } })
})

describe('[TR7] agreement', () => {
  test('is how often two models were in one sealed camp', () => {
    const logs = [ended(['Yes', 'Yes', 'No'], ['No', 'No', 'No']), ended(['Yes', 'No', silent()])]
    expect(trackRecordOf(logs.map(({ session }) => session)).agreement).toEqual([
      { one: gemini, other: grok, same: 0, of: 1 },
      { one: gemini, other: glm, same: 1, of: 2 },
      { one: grok, other: glm, same: 0, of: 1 },
    ])
  })

  test('isn’t counted if nobody grouped the headlines', () => {
    const log = table({ seats: 2, moderator: null }).round(0, ['Build', 'Never']).and(finished)
    expect(trackRecordOf([log.session]).agreement).toEqual([])
  })
})

const spent = (seat: string, round: number, costUsd: number | null, total: number): Happening => {
  const usage: Usage = { inputTokens: 10, outputTokens: 10, costUsd }
  const timing = { firstToken: 1, total, attempts: 1 }
  return { type: 'answer-given', round, seat, answer: answerOf(yesOrNo, 'Yes'), usage, timing }
}

test('[TR8] cost is the sum of its calls, and unknown if one is; latency is that of the middle answer', () => {
  const open = table({ seats: 1, question: yesOrNo }).and({ type: 'round-opened', round: 0, sealed: true })
  const logs = [100, 900, 300].map(total => open.and(spent('s1', 0, 0.01, total), finished))
  expect(recordOf(glm, ...logs)).toMatchObject({ costUsd: 0.03, latency: 300, answers: 3 })
  const unpriced = open.and(spent('s1', 0, null, 200), finished)
  expect(recordOf(glm, ...logs, unpriced)).toMatchObject({ costUsd: null, latency: 250 })
})

describe('[TR9] whose record it is', () => {
  test('is that of the model that answered, if a seat changed hands', () => {
    const first = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'No', silent()]).and(finished)
    const taken = first.and(replaced(first.session, 's3', { name: 'Newcomer', model: 'lab/new' }))
    const log = known(
      taken.and({ type: 'answer-given', round: 0, seat: 's3', answer: answerOf(yesOrNo, 'No') }, finished),
      'No',
    )
    expect(recordOf('lab/new', log)).toMatchObject({ sealed: { right: 1, of: 1 }, silent: 0 })
    expect(trackRecordOf([log.session]).models.map(({ model }) => model)).toContain('lab/new')
  })

  test('stays the predecessor’s for what it said before', () => {
    const first = table({ seats: 3, question: yesOrNo })
      .round(0, ['Yes', 'No', 'No'])
      .round(1, ['Yes', 'No', silent()])
      .and(finished)
    const taken = first.and(replaced(first.session, 's3', { name: 'Newcomer', model: 'lab/new' }))
    const answer = answerOf(yesOrNo, 'Yes')
    const log = known(taken.and({ type: 'answer-given', round: 1, seat: 's3', answer }, finished), 'No')
    expect(recordOf(grok, log)).toMatchObject({ sealed: { right: 1, of: 1 }, final: { of: 0 }, silent: 1 })
    expect(recordOf('lab/new', log)).toMatchObject({ sealed: { of: 0 }, final: { right: 0, of: 1 } })
  })

  test('[TR55] is nobody’s if the seats were held from outside', () => {
    const seats = seatsOf(3).map(seat => (seat.id === 's3' ? { ...seat, outside: true } : seat))
    const { session } = table({ seats, question: yesOrNo, rounds: 0 })
      .round(0, ['Yes', 'Yes', 'No'])
      .and({ type: 'session-finished', outcome: 'verdict' })
    expect(appearancesIn(session).map(({ model }) => model)).toEqual(
      seats.slice(0, 2).map(({ model }) => model),
    )
    expect(sealedSplitOf(session)).toBeUndefined()
  })

  test('is nobody’s if the seats were scripted', () => {
    const seats = seatsOf(2).map(seat => ({ ...seat, scripted: true }))
    const log = table({ seats, question: yesOrNo }).round(0, ['Yes', 'No']).and(finished)
    expect(trackRecordOf([log.session])).toMatchObject({ sessions: 1, models: [], agreement: [] })
  })

  test('of a transcript holds what was said at its end, and none of its claims about moves', () => {
    const imported = { from: 'transcript' as const, line: 'All 2 models agreed', changed: ['s2'] }
    const log = known(
      table({ seats: 2, imported, question: yesOrNo }).round(1, ['Yes', 'No']).and(finished),
      'No',
    )
    expect(recordOf(gemini, log)).toMatchObject({
      sealed: { of: 0 },
      final: { right: 1, of: 1 },
      wrongToRight: 0,
      stubbornness: { opposed: 0 },
    })
  })
})

test('[TR10] a track record survives JSON unchanged, and comes from the logs alone', () => {
  const log = known(ended([sure('Yes', 0.9), 'No', 'No'], ['No', 'No', 'No']), 'Yes')
  const record = trackRecordOf([log.session])
  expect(JSON.parse(JSON.stringify(record))).toEqual(record)
  expect(trackRecordOf([fold(JSON.parse(JSON.stringify(log.events)))])).toEqual(record)
})

test('[P94] a matter of taste counts for nobody, even if it was resolved before its kind was known', () => {
  const log = known(ended([sure('Yes', 0.2), sure('Yes', 0.2), sure('No', 0.9)], ['Yes', 'No', 'No']), 'No')
  expect(trackRecordOf([log.session])).toMatchObject({ sessions: 1, resolved: 1 })
  const taste = log.and(kindCorrected(log.session, 'taste'))
  expect(trackRecordOf([taste.session])).toMatchObject({ sessions: 1, resolved: 0 })
  const record = recordOf(gemini, taste)
  expect(record).toMatchObject({ sealed: { right: 0, of: 0 }, final: { right: 0, of: 0 } })
  expect([record.rightToWrong, record.wrongToRight]).toEqual([0, 0])
  expect(recordOf(gemini, log).wrongToRight).toBe(1)
})

test('[TR230] a fork in the middle adds nothing to the track record: its first answers count in the other session', () => {
  const session = { ...fold(sampleLog), outcome: 'verdict' as const }
  const fork = { ...session, forkedFrom: { session: session.id, round: 0 } }
  expect(trackRecordOf([session, fork])).toEqual(trackRecordOf([session]))
  const anew = { ...session, forkedFrom: { session: session.id } }
  expect(trackRecordOf([session, anew]).sessions).toBe(2)
})
