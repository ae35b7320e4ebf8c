import { expect, test } from 'vitest'
import type { Point } from '../core/question.ts'
import { concessionLine, ownWord, ownWordLine, pointsLine } from './moves.ts'
import { rangeWords } from './words.ts'

const name = (seat: string): string => seat.toUpperCase()

test("[Q60] a seat's own word on its answer is shown, and compared with the computed move", () => {
  expect(ownWord({ decision: 'conceded' })).toBe('kept its answer, conceding a point')
  expect(ownWordLine({ decision: 'kept' }, 'held')).toBe('says it kept its answer')
  expect(ownWordLine({ decision: 'narrowed', reason: 'my own error' }, 'switched')).toBe(
    'says it narrowed its answer (its own error); its answer is in another camp',
  )
  expect(ownWordLine({ decision: 'changed' }, 'refined')).toBe(
    'says it changed its answer; its answer is in the same camp',
  )
  expect(ownWordLine({ decision: 'changed' }, 'switched')).toBe('says it changed its answer')
  // Until the camps are known there is nothing to compare with.
  expect(ownWordLine({ decision: 'changed' }, null)).toBe('says it changed its answer')
})

test('[Q60] the words of older logs stay as they were', () => {
  for (const decision of ['keep', 'change', undefined] as const)
    expect(ownWordLine({ decision }, 'switched')).toBeUndefined()
})

test('[Q60] a conceded or narrowed point names who made it', () => {
  const credit = { seat: 'c', quote: 'It carries enough', verified: true }
  expect(concessionLine('b', { decision: 'conceded', credit }, name)).toBe('B conceded a point to C')
  expect(concessionLine('b', { decision: 'conceded' }, name)).toBe('B conceded a point')
  expect(concessionLine('b', { decision: 'narrowed', credit }, name)).toBe(
    'B narrowed its answer for a point of C',
  )
  expect(concessionLine('b', { decision: 'conceded', credit: { ...credit, verified: false } }, name)).toBe(
    'B conceded a point to C (whose answer does not have the quoted words)',
  )
  for (const decision of ['kept', 'changed', 'keep', 'change'] as const)
    expect(concessionLine('b', { decision, credit }, name)).toBeUndefined()
})

test('[Q60] points in one line: by judgement, and which quotes were not found', () => {
  const point = (seat: string, judgement: Point['judgement'], verified = true): Point => ({
    ...{ seat, judgement, verified, quote: 'words', why: '' },
  })
  expect(
    pointsLine([point('a', 'does not hold', false), point('c', 'holds'), point('d', 'holds')], name),
  ).toBe('holds: C, D; does not hold: A (quote not found)')
  expect(pointsLine([], name)).toBe('')
})

test('[Q60] the range around a number', () => {
  expect(rangeWords({ unit: 'km' }, { low: 60, high: 12_000 })).toBe('60 to 12,000 km')
  expect(rangeWords({}, { low: 60 })).toBe('at least 60')
  expect(rangeWords({ unit: 'km' }, { high: 120 })).toBe('at most 120 km')
  expect(rangeWords({}, {})).toBeUndefined()
})
