import { describe, expect, test } from 'vitest'
import {
  questionOf,
  type Said,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { latestRound } from '../core/session.ts'
import { resolved } from './acts.ts'
import { wasRight } from './moves.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const
const over = (question: ReturnType<typeof questionOf>, said: readonly Said[]): TestLog =>
  table({ seats: said.length, question }).round(0, said).and(finished)

const rightIn = (log: TestLog, answer: string): (boolean | null)[] => {
  const { session } = log.and(resolved(log.session, answer))
  return session.seats.map(({ id }) => wasRight(session, latestRound(session), id))
}

describe('[TR1] a session that is over is resolved by the right answer', () => {
  test('of a choice, in whatever words', () => {
    const log = over(yesOrNo, ['Yes', 'No', silent()])
    expect(rightIn(log, 'Yes')).toEqual([true, false, null])
    expect(rightIn(log, 'b')).toEqual([false, true, null])
    expect(rightIn(log, 'none')).toEqual([false, false, null])
  })

  test('of a ranking and of a number', () => {
    const ranking = questionOf({ format: 'ranking', options: ['a', 'b'] })
    const ranked: Said[] = [
      ['a', 'b'],
      ['b', 'a'],
    ]
    expect(rightIn(over(ranking, ranked), 'B > A')).toEqual([false, true])
    expect(rightIn(over(ranking, ranked), 'a, b')).toEqual([true, false])
    const number = questionOf({ format: 'number', unit: 'km' })
    expect(rightIn(over(number, [384_400, 390_000]), '384,400 km')).toEqual([true, false])
    const log = questionOf({ format: 'number', scale: 'log' })
    expect(rightIn(over(log, [1_000, 1_050, 30_000]), '1020')).toEqual([true, true, false])
  })

  test('of an open question, also by the label that its camp had in an earlier round', () => {
    const proposed = (round: number, label: string, id: string) =>
      ([0, 1] as const).map(pass => ({
        ...({ type: 'camps-proposed', round, pass } as const),
        labels: { s1: label, s2: 'never' },
        positions: { s1: id, s2: 'n2' },
      }))
    const log = table({ seats: 2 })
      .round(0, ['Build', 'Never'])
      .and(...proposed(0, 'build', 'n1'))
      .round(1, ['Build later', 'Never'])
      .and(...proposed(1, 'later', 'c1'))
      .settle()
      .and(finished)
    for (const label of ['build', 'later', 'c1']) expect(rightIn(log, label)).toEqual([true, false])
  })

  test('of an open question, by a position’s id or words', () => {
    const log = table({ seats: 3 })
      .round(0, ['Build', 'Build it', 'Never'])
      .labels(0, ['Build now', 'Build now', 'Do not build'])
      .settle()
      .and(finished)
    expect(rightIn(log, 'c1')).toEqual([true, true, false])
    expect(rightIn(log, 'do not build')).toEqual([false, false, true])
    expect(rightIn(log, 'Never.')).toEqual([false, false, true])
  })

  test('and by another one if that was wrong; it stays finished', () => {
    const log = over(yesOrNo, ['Yes', 'No'])
    const first = log.and(resolved(log.session, 'Yes'))
    expect(first.session).toMatchObject({ outcome: 'verdict', resolved: { answer: 'Yes', camps: ['Yes'] } })
    const second = first.and(resolved(first.session, 'No'))
    expect(second.session.resolved).toMatchObject({ answer: 'No', at: expect.stringContaining('2026') })
  })
})

describe('[TR2] what isn’t an answer is refused with the possible ones', () => {
  test.each([
    [over(yesOrNo, ['Yes', 'No']), 'Maybe', /give one of Yes, No/],
    [over(questionOf({ format: 'number', unit: 'km' }), [1]), 'far', /give a number in km/],
    [over(questionOf({ format: 'ranking', options: ['a', 'b'] }), [['a', 'b']]), 'a', /all of a, b/],
    [over(questionOf(), ['Build']), 'Never', /c1 \(Build\)/],
    [table({ seats: 1, question: yesOrNo }).round(0, ['Yes']), 'Yes', /still running/],
  ])('%#', ({ session }, answer, message) => {
    expect(() => resolved(session, answer)).toThrow(message)
  })
})
