import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, type Said, type TestLog, table } from '../../test/contracts/core-testing.ts'
import type { Question } from '../core/question.ts'
import { roundAt } from '../core/session.ts'
import { isWithin, toleranceIn } from './camps.ts'
import { moveOf, rightCamps } from './moves.ts'
import { groupingOf } from './settle.ts'
import { verdictOf } from './verdict.ts'

const asked = (
  question: Partial<Question>,
  said: readonly Said[],
  prompts: number | undefined = 2,
): TestLog =>
  table({ seats: said.length, question: questionOf({ format: 'number', ...question }), prompts }).round(
    0,
    said,
  )

const campsOf = (log: TestLog, round = 0) =>
  groupingOf(log.session, roundAt(log.session, round)!).camps.map(({ id, seats }) => [id, ...seats])
const labels = (log: TestLog, round = 0) =>
  groupingOf(log.session, roundAt(log.session, round)!).camps.map(({ label }) => label)

const believed = (number: number, half: number): Said => ({
  headline: `It is ${number}`,
  number,
  low: number - half,
  high: number + half,
})

test('[C30] on a log scale, numbers within half an order of magnitude are one camp', () => {
  const log = asked({ scale: 'log', unit: 'tuners' }, [90, 80, 100, 250, 300])
  expect(campsOf(log)).toEqual([
    ['80 tuners', 's1', 's2', 's3', 's4'],
    ['300 tuners', 's5'],
  ])
  expect(labels(log)).toEqual(['80 to 250 tuners', '300 tuners'])
  expect(campsOf(asked({ scale: 'log' }, [-5, 5, 0]))).toHaveLength(3)
})

test('[C31] on a linear scale, numbers that differ only by rounding are one camp, and no change of mind', () => {
  const log = asked({ unit: 'km' }, [384_399, 384_400, 384_500]).round(1, [384_400, 384_399, 384_500])
  expect(campsOf(log)).toEqual([
    ['384,399 km', 's1', 's2'],
    ['384,500 km', 's3'],
  ])
  for (const seat of ['s1', 's2', 's3'])
    expect(moveOf(log.session, roundAt(log.session, 1)!, seat)).not.toBe('switched')
  expect(campsOf(asked({}, [2000, 1999]))).toHaveLength(2)
  expect(campsOf(asked({}, [100, 90, 101]))).toHaveLength(3)
  expect(campsOf(asked({}, [0, 1e-9]))).toHaveLength(2)
})

test('[C32] on a linear scale, numbers are one camp within the range that the seats would still believe', () => {
  expect(campsOf(asked({}, [believed(40, 10), believed(48, 8), believed(60, 12)]))).toEqual([
    ['40', 's1', 's2'],
    ['60', 's3'],
  ])
  expect(campsOf(asked({}, [believed(40, 10), 48, 60]))).toHaveLength(3)
})

test('[C33] a tolerance that the asker gives decides alone', () => {
  expect(campsOf(asked({ tolerance: '10%' }, [90, 100, 79]))).toEqual([
    ['79', 's3'],
    ['90', 's1', 's2'],
  ])
  expect(campsOf(asked({ tolerance: 1, scale: 'log' }, [80, 81, 90]))).toHaveLength(2)
  expect(campsOf(asked({ tolerance: 0.1 }, [0.3, 0.4]))).toHaveLength(1)
  expect(campsOf(asked({ tolerance: 0.1, unit: 'km' }, [384_399, 384_400]))).toHaveLength(2)
})

test('[V67] a median has no more digits than its answers support, in rounds of older prompts, too', () => {
  const log = asked({ scale: 'log', unit: 'people' }, [80, 90, 100, 80], 1)
  expect(verdictOf(log.session).line).toMatch(/median about 85 people \(answers from 80 to 100\)$/)
})

test('[C34] rounds that were asked before there was a tolerance keep their camps', () => {
  for (const question of [{ scale: 'log' as const }, {}, { tolerance: 50 }]) {
    const log = asked(question, [100, 105, 130], 1)
    expect(campsOf(log)).toHaveLength(question.scale === 'log' ? 2 : 3)
    expect(verdictOf(log.session).final).not.toHaveProperty('figure')
  }
})

test('[C35] the right number may be as far from an answer as answers from each other', () => {
  const log = asked({ scale: 'log' }, [80, 90, 1000])
  expect(rightCamps(log.session, '200').camps).toEqual(['80'])
  expect(rightCamps(asked({ tolerance: 5 }, [80, 90]).session, '86').camps).toEqual(['90'])
})

const anyNumber = fc.oneof(
  fc.integer({ min: -20, max: 3_000 }),
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.constantFrom(384_399, 384_400, 384_450, 0, 1e9),
)
const anyQuestion = fc.record({
  scale: fc.constantFrom('linear' as const, 'log' as const),
  tolerance: fc.constantFrom(undefined, 0.5, 100, '10%', '0.1 %'),
})
const anyAnswer = fc
  .tuple(anyNumber, fc.option(fc.integer({ min: 0, max: 50 })))
  .map(([number, half]) => (half === null ? number : believed(number, half)))
const numberIn = (said: Said): number =>
  typeof said === 'number' ? said : (said as { number: number }).number

test('[C36] camps of numbers do not depend on the order of the seats, and hold only numbers near their first', () => {
  const members = (question: Partial<Question>, said: readonly Said[]) => {
    const log = asked(question, said)
    const { camps } = groupingOf(log.session, roundAt(log.session, 0)!)
    const values = camps.map(camp =>
      camp.seats.map(seat => numberIn(said[Number(seat.slice(1)) - 1]!)).sort((one, other) => one - other),
    )
    return { values, tolerance: toleranceIn(log.session, roundAt(log.session, 0)!)! }
  }
  fc.assert(
    fc.property(anyQuestion, fc.array(anyAnswer, { minLength: 1, maxLength: 7 }), (question, said) => {
      const { values, tolerance } = members(question, said)
      expect(members(question, said.toReversed()).values).toEqual(values)
      for (const [first = 0, ...others] of values)
        for (const other of others) expect(isWithin(tolerance, first, other)).toBe(true)
      const flat = values.flat()
      expect(new Set(flat).size).toBe(new Set(values.flatMap(camp => [...new Set(camp)])).size)
      expect(flat).toHaveLength(said.length)
    }),
  )
})

test('[M7] whatever the others do, a seat that keeps its number keeps its camp', () => {
  const answers = fc.array(anyAnswer, { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(
      anyQuestion,
      answers,
      fc.array(anyAnswer, { minLength: 6, maxLength: 6 }),
      (question, said, next) => {
        const later = said.map((one, seat) => (seat === 0 ? one : next[seat]!))
        const log = asked(question, said).round(1, later)
        const home = (round: number) =>
          groupingOf(log.session, roundAt(log.session, round)!).camps.find(camp => camp.seats.includes('s1'))
            ?.id
        expect(home(1)).toBe(home(0))
        expect(moveOf(log.session, roundAt(log.session, 1)!, 's1')).toBe('held')
      },
    ),
  )
})
