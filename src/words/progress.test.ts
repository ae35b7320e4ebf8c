import { describe, expect, test } from 'vitest'
import {
  answerOf,
  questionOf,
  seatsOf,
  silent,
  type TestLog,
  table,
} from '../../test/contracts/core-testing.ts'
import type { Happening } from '../core/event.ts'
import { provisionalOf } from '../count/verdict.ts'
import { provisionalCount } from '../count/verdict-line.ts'
import { changedSentence } from './moves.ts'
import {
  leftWords,
  progressWords,
  provisionalWords,
  secondsFor,
  skippable,
  timeLeft,
  timeWords,
} from './progress.ts'
import { asReporting, stepsOf } from './stages.ts'

const choice = questionOf({ format: 'choice', options: ['Rail', 'Road'] })
const labels = ({ session }: TestLog): string =>
  stepsOf(session)
    .map(({ label, state }) => (state === 'now' ? `[${label}]` : state === 'done' ? `(${label})` : label))
    .join(' ')
/** The test clock of logs. */
const start = Date.UTC(2026, 0, 2, 3, 4, 5)
const after = (seconds: number): number => start + seconds * 1_000
const report: Happening = {
  type: 'report-written',
  report: { answer: 'Rail.', summary: 'So.' },
  by: 'code',
}
const timed = (seat: string, seconds: number, round = 0): Happening => ({
  type: 'answer-given',
  round,
  seat,
  answer: answerOf(choice, 'Rail'),
  timing: { firstToken: null, total: seconds * 1_000, attempts: 1 },
})

describe('the verdict so far', () => {
  test('[V70] the sealed tally is the provisional verdict as soon as the sealed round is closed', () => {
    const log = table({ seats: 3, question: choice })
    expect(provisionalOf(log.session)).toBeNull()
    expect(provisionalOf(log.round(0, ['Rail', 'Rail']).session)).toBeNull()
    const closed = log.round(0, ['Rail', 'Rail', 'Road'])
    expect(provisionalOf(closed.session)).toMatchObject({
      round: { index: 0 },
      tally: { level: 'supermajority', agree: 2, of: 3 },
      line: '2 of 3 models agreed',
      uncompared: false,
      unchecked: false,
    })
    expect(provisionalOf(closed.round(1, ['Rail', 'Rail', 'Rail']).session)).toMatchObject({
      round: { index: 1 },
      line: 'All 3 models agreed',
    })
    expect(provisionalOf(closed.and({ type: 'session-finished', outcome: 'verdict' }).session)).toBeNull()
  })

  const asked = table({ seats: 6, question: choice }).round(0, [
    ...['Rail', 'Rail', 'Rail', 'Rail', 'Road', 'Road'],
  ])
  const openAsked = table({ seats: 3 }).round(0, ['Rail', 'Rail', 'Road']).labels(0, ['Rail', 'Rail', 'Road'])
  test.each<readonly [string, TestLog, string, string, string | undefined]>([
    [
      'nobody has answered the new round',
      asked.round(1, []),
      'So far, after the sealed round: 4 of 6 models agreed',
      '4 of 6 models agreed.',
      undefined,
    ],
    [
      'one seat fell silent in it',
      asked.round(1, [silent()]),
      'So far, after the sealed round: 4 of 6 models agreed',
      '4 of 6 models agreed.',
      undefined,
    ],
    [
      'two seats have left',
      asked.round(1, ['Road', 'Road']),
      'So far, in open round 1, which 2 of 6 have answered: 4 of 6 models agreed; a swing: 4 of 6 said Rail after the sealed round, now 4 of 6 say Road',
      '4 of 6 models agreed; a swing: 4 of 6 said Rail after the sealed round, now 4 of 6 say Road.',
      '2 of 6 models changed their minds: GLM 4.7 and Gemini 3.5 Flash.',
    ],
    [
      'one of them came back in the round after it',
      asked.round(1, ['Road', 'Road', 'Rail', 'Rail', 'Road', 'Road']).round(2, ['Rail']),
      'So far, in open round 2, which 1 of 6 have answered: Tie: 3 for Rail, 3 for Road',
      '3 against 3.',
      '2 of 6 models changed their minds: GLM 4.7 and Gemini 3.5 Flash.',
    ],
    [
      'nobody answered a whole round',
      asked.round(1, ['Rail', 'Rail', 'Rail', 'Rail', 'Rail', 'Road']).round(2, Array(6).fill(silent())),
      'So far, after open round 1: 5 of 6 models agreed; nobody answered in open round 2, so this is the vote of open round 1',
      '5 of 6 models agreed; nobody answered in open round 2, so this is the vote of open round 1.',
      'GPT-5.5 changed its mind.',
    ],
    [
      'open answers, which must be compared first',
      openAsked.settle().round(1, ['Road', 'Road']),
      'So far, after the sealed round: 2 of 3 models agreed',
      '2 of 3 models agreed.',
      undefined,
    ],
  ])(
    '[V432] while a round is under way, every face says of when its count is: %s',
    (_, log, words, count, changed) => {
      const soFar = provisionalOf(log.session)!
      expect(provisionalWords(soFar)).toBe(words)
      expect(provisionalCount(log.session, soFar)).toBe(count)
      expect(changedSentence(log.session, soFar.round.index)).toBe(changed)
    },
  )

  test('[V74] the count so far has no names, and says how many are silent', () => {
    const count = (log: TestLog): string => provisionalCount(log.session, provisionalOf(log.session)!)
    const seats = table({ seats: 6, question: choice })
    expect(count(seats.round(0, ['Rail', 'Rail', 'Rail', 'Road', 'Road', silent()]))).toBe(
      '3 of 6 models share the leading answer; 1 silent.',
    )
    const without = seats.round(0, ['Rail', 'Rail', 'Rail', 'Rail', silent()])
    expect(count(without.and({ type: 'seat-overdue', round: 0, seat: 's6', by: 'person' }))).toBe(
      'All 4 models that answered agreed; 1 silent; 1 late.',
    )
    expect(count(seats.round(0, ['Rail', 'Rail', 'Rail', 'Road', 'Road', 'Road']))).toBe('3 against 3.')
    expect(count(seats.round(0, ['Rail', 'Rail', 'Rail', 'Rail', 'Rail', 'Road']))).toBe(
      '5 of 6 models agreed.',
    )
    expect(count(table({ seats: 3 }).round(0, ['Rail is best', 'Rail it is', 'Road']))).toBe(
      '3 of 3 models answered.',
    )
  })

  test('[V75] a seat that failed is named beside those that are waited for', () => {
    const log = table({ seats: 6, question: choice }).round(0, [silent()])
    expect(progressWords(log.session)).toBe('Waiting for 5 of 6 seats; GLM 4.7 is silent')
    const more = table({ seats: 6, question: choice }).round(0, [
      silent(),
      silent(),
      silent(),
      silent(),
      'Rail',
    ])
    expect(progressWords(more.session)).toBe('Waiting for Mistral Medium 3.1; 4 are silent')
  })

  test('[V71] open answers that nobody has compared yet are not counted, and unchecked camps are named so', () => {
    const log = table({ seats: 3 }).round(0, ['Rail is best', 'Rail it is', 'Road'])
    expect(provisionalOf(log.session)).toMatchObject({
      uncompared: true,
      line: '3 of 3 answered; nobody has compared the answers yet',
    })
    const labelled = log.labels(0, ['Rail', 'Rail', 'Road'])
    expect(provisionalOf(labelled.session)).toMatchObject({ uncompared: false, unchecked: true })
    expect(provisionalOf(labelled.settle().session)).toMatchObject({ unchecked: false, tally: { agree: 2 } })
  })
})

describe('what is going on, and how long still', () => {
  test('[R71] the steps are those of the session, and those ahead are the most there can be', () => {
    const open = table({ seats: 2, rounds: 1 })
    expect(labels(open)).toBe('[Sealed] Reading Round 1 Reading Report')
    const closed = open.round(0, ['Rail', 'Road'])
    expect(labels(closed)).toBe('(Sealed) [Reading] Round 1 Reading Report')
    const counted = closed.labels(0, ['Rail', 'Road']).settle()
    expect(labels(counted.round(1, ['Rail']))).toBe('(Sealed) (Reading) [Round 1] Reading Report')
    const done = counted.round(1, ['Rail', 'Road'])
    expect(labels(done)).toBe('(Sealed) (Reading) (Round 1) (Reading) [Report]')
    expect(labels(counted.and(report))).toBe('(Sealed) (Reading) [Report]')
    expect(labels(table({ seats: 2, rounds: 1, question: choice }))).toBe('[Sealed] Round 1 Report')
  })

  test('[R94] a report that is seen being written is the last step, though rounds were left', () => {
    const closed = table({ seats: 2, rounds: 2 }).round(0, ['Rail', 'Rail']).labels(0, ['Rail', 'Rail'])
    expect(leftWords(closed.session, after(0))).toMatch(/^at most 6 steps/)
    const drafted = closed.and({ type: 'report-drafted', round: 0, leading: 'Rail', moved: [] })
    for (const session of [asReporting(closed.session, true), drafted.session]) {
      expect(progressWords(session)).toBe('The report is being written')
      expect(leftWords(session, after(0))).toMatch(/^the last step/)
    }
    expect(asReporting(closed.session, false)).toBe(closed.session)
  })

  test('[R72] it is said who is being waited for, in plain words', () => {
    const log = table({ seats: 6, question: choice })
    expect(progressWords(log.session)).toBe('The seats are being filled')
    expect(progressWords(log.round(0, []).session)).toBe('All 6 seats are answering')
    expect(progressWords(log.round(0, ['Rail']).session)).toBe('Waiting for 5 of 6 seats')
    const two = log.round(0, ['Rail', 'Rail', 'Rail', 'Rail'])
    const [, , , , fifth, sixth] = log.session.seats
    expect(progressWords(two.session)).toBe(`Waiting for ${fifth?.name} and ${sixth?.name}`)
    const overdue = two.and({ type: 'seat-overdue', round: 0, seat: 's6', by: 'person' })
    expect(progressWords(overdue.session)).toBe(
      `Waiting for ${fifth?.name}; a late answer of ${sixth?.name} still counts`,
    )
    const later = log
      .round(0, ['Rail', 'Rail', 'Rail', 'Rail', 'Rail'])
      .and({ type: 'seat-overdue', round: 0, seat: 's6', by: 'person' })
      .round(1, ['Rail'])
    expect(progressWords(later.session)).toBe('Waiting for 5 of 6 seats')
    const left = later.and({ type: 'seat-overdue', round: 1, seat: 's6', by: 'person' })
    expect(progressWords(left.session)).toBe(
      `Waiting for 4 of 6 seats; a late answer of ${sixth?.name} still counts`,
    )
    expect(progressWords(two.stop().session)).toBe('The session is ending')
  })

  test('[R73] the time left is a range: from measured times, else from this session, else a wide guess', () => {
    const log = table({ seats: 2, rounds: 0, question: choice, deadline: 100 }).round(0, [])
    expect(timeLeft(log.session, after(0))).toEqual({ low: 8, high: 80 })
    const [first, second] = log.session.seats
    const measured = { [first!.model]: 10_000, [second!.model]: 20_000 }
    expect(timeLeft(log.session, after(0), measured)).toEqual({ low: 16, high: 76 })
    const one = log.and(timed('s1', 10))
    expect(timeLeft(one.session, after(10))).toEqual({ low: 5, high: 50 })
  })

  test('[R73] a seat that takes longer than usual may take until its deadline', () => {
    const log = table({ seats: 2, rounds: 0, question: choice, deadline: 60 })
      .round(0, [])
      .and(timed('s1', 10))
    expect(timeLeft(log.session, after(32)).high).toBe(28 + 30)
    expect(timeLeft(log.session, after(55)).high).toBe(5 + 30)
    expect(leftWords(log.session, after(32))).toBe(
      'at most 2 steps, slower than usual, at most 30 s more for this round',
    )
  })

  test('[V84] a seat that the table went on without takes as long again as the table had waited for it', () => {
    const at = (seconds: number): string => new Date(after(seconds)).toISOString()
    const log = table({ seats: 3, rounds: 1, question: choice })
      .round(0, [])
      .and(timed('s1', 2), timed('s2', 2))
      .and({ type: 'seat-overdue', round: 0, seat: 's3', by: 'person' })
    const round = { ...log.session.roundsSoFar[0]!, openedAt: at(0) }
    const next = { ...round, index: 1, sealed: false, overdue: [], handedIn: {}, openedAt: at(30) }
    const session = { ...log.session, roundsSoFar: [round, next], lastAt: at(30) }
    expect(timeLeft(session, after(30)).low).toBeGreaterThan(30 * 0.6)
    const known = { ...session, roundsSoFar: [{ ...round, overdue: [] }, next] }
    expect(timeLeft(known, after(30)).low).toBeLessThan(10)
  })

  test('[V76] a seat that hung has a quarter of the time', () => {
    const log = table({ seats: 2, question: choice, deadline: 120 }).round(0, ['Rail', silent('timeout')])
    const [first, second] = log.session.seats
    expect(secondsFor(log.session, first!)).toBe(120)
    expect(secondsFor(log.session, second!)).toBe(30)
  })

  test('[V77] the table can go on without seats that hold up at least half of it', () => {
    const log = table({ seats: 4, question: choice })
    expect(skippable(log.round(0, ['Rail']).session)).toEqual([])
    expect(skippable(log.round(0, [silent(), silent()]).session)).toEqual([])
    expect(skippable(log.round(0, ['Rail', 'Rail']).session)).toEqual(['s3', 's4'])
    expect(skippable(log.round(0, ['Rail', 'Rail']).stop().session)).toEqual([])
  })

  test('[R73] the range is rounded to what is known', () => {
    expect(timeWords({ low: 0, high: 3 })).toBe('less than 5 s')
    expect(timeWords({ low: 11.2, high: 33 })).toBe('12–35 s')
    expect(timeWords({ low: 40, high: 200 })).toBe('40 s to 4 min')
    expect(timeWords({ low: 130, high: 400 })).toBe('2–7 min')
    expect(timeWords({ low: 1, high: 12 })).toBe('under 12 s')
    expect(timeWords({ low: 1, high: 130 })).toBe('under 3 min')
    expect(leftWords(table().stop().session, after(0))).toBe('')
  })
})

test('[R123] a table that waits for somebody outside says so, and how long that may take', () => {
  const [first, second] = seatsOf(2)
  const seats = [first!, { ...second!, name: 'Host', outside: true, deadline: 900 }]
  const asked = table({ question: choice, seats, rounds: 0 }).round(0, ['Rail'])
  expect(progressWords(asked.session)).toBe('Waiting for Host to answer from outside')
  const { low, high } = timeLeft(asked.session, after(100))
  expect(low).toBeLessThan(60)
  expect(high).toBeGreaterThanOrEqual(800)
  const given = asked.and({
    type: 'answer-given',
    round: 0,
    seat: 's2',
    answer: answerOf(choice, 'Road'),
    outside: true,
  })
  expect(timeLeft(given.session, after(100)).high).toBeLessThan(200)
})
