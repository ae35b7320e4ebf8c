import { expect, test } from 'vitest'
import { questionOf, type Said, table } from '../../test/contracts/core-testing.ts'
import { kindCorrected } from './acts.ts'
import { type Flag, verdictOf } from './verdict.ts'

const many = questionOf({ format: 'choice', options: ['a', 'b', 'c'] })
const flagsAfter = (
  sealed: readonly Said[],
  open: readonly Said[] | null,
  question = many,
): readonly Flag[] => {
  const log = table({ seats: sealed.length, question }).round(0, sealed)
  return verdictOf((open ? log.round(1, open) : log).session).flags
}

const because = (choice: string, verified = true): Said => ({
  headline: choice,
  choice,
  credit: { seat: 's1', quote: 'the bridge carries', verified },
})
const argued = (choice: string, length: number): Said => ({
  headline: choice,
  choice,
  reasoning: 'x'.repeat(length),
})
const sure = (choice: string, confidence: number | null): Said => ({ headline: choice, choice, confidence })

test('[V30] a position that all who held it gave up for the leading one, citing nothing, was overrun', () => {
  const sealed = ['a', 'a', 'a', 'b', 'c', 'c']
  expect(flagsAfter(sealed, ['a', 'a', 'a', 'a', 'c', 'c'])).toContain('minority overrun')
  expect(flagsAfter(sealed, ['a', 'a', 'a', because('a', false), 'c', 'c'])).toContain('minority overrun')
})

test('[V30] nothing was overrun where somebody stayed, went elsewhere, or cites words that stand', () => {
  const sealed = ['a', 'a', 'a', 'b', 'c', 'c']
  for (const open of [
    ['a', 'a', 'a', because('a'), 'c', 'c'],
    ['a', 'a', 'a', 'c', 'c', 'c'],
    ['a', 'a', 'a', 'b', 'a', 'c'],
    ['a', 'a', 'a', 'b', because('a'), 'a'],
  ])
    expect(flagsAfter(sealed, open)).not.toContain('minority overrun')
  expect(flagsAfter(sealed, null)).not.toContain('minority overrun')
})

test('[V31] length bias: seats went over to answers that were twice as long as all others', () => {
  const open = ['a', 'a', because('a')]
  const short = argued('b', 100)
  expect(flagsAfter([argued('a', 300), argued('a', 300), short], open)).toContain('length bias')
  expect(flagsAfter([argued('a', 150), argued('a', 150), short], open)).not.toContain('length bias')
  expect(flagsAfter([argued('a', 300), argued('a', 300), short], ['a', 'a', 'b'])).not.toContain(
    'length bias',
  )
  expect(flagsAfter([argued('a', 300), argued('a', 300), short], null)).not.toContain('length bias')
})

test('[V32] low confidence: those who led gave their own sealed answer less than even odds', () => {
  expect(flagsAfter([sure('a', 0.4), sure('a', 0.5), sure('b', 0.9)], null)).toContain('low confidence')
  expect(flagsAfter([sure('a', 0.5), sure('a', 0.5), sure('b', 0.1)], null)).not.toContain('low confidence')
  expect(flagsAfter([sure('a', null), sure('a', null), sure('b', 0.1)], null)).not.toContain('low confidence')
  expect(flagsAfter([sure('a', 0.1), sure('b', 0.1)], null)).not.toContain('low confidence')
})

test('[V32] later confidence does not count', () => {
  const sealed = [sure('a', 0.3), sure('a', 0.4), sure('b', 0.9)]
  expect(flagsAfter(sealed, [sure('a', 1), sure('a', 1), sure('b', 1)])).toContain('low confidence')
})

test('[P94] nobody is called unsure in a matter of taste', () => {
  const log = table({ seats: 3, question: many }).round(0, [sure('a', 0.3), sure('a', 0.2), sure('b', 0.9)])
  const judged = verdictOf(log.session)
  expect(judged.flags).toContain('low confidence')
  const taste = verdictOf(log.and(kindCorrected(log.session, 'taste')).session)
  expect(taste.flags).not.toContain('low confidence')
  expect(taste.line).toBe(judged.line)
})

test('[V81] camps that were no smaller than the one they joined were no minority', () => {
  expect(flagsAfter(['a', 'b', 'c'], ['a', 'a', 'c'])).not.toContain('minority overrun')
  expect(flagsAfter(['a', 'a', 'a', 'b', 'c', 'c'], ['a', 'a', 'a', 'a', 'c', 'c'])).toContain(
    'minority overrun',
  )
})

test('[V82] a round that was stopped early does not make a counted one ungrouped', () => {
  const log = table({ seats: 3, question: questionOf({ format: 'open' }) })
    .round(0, ['Rail', 'Rails', 'Road'])
    .labels(0, ['Rail', 'Rail', 'Road'])
    .settle('different')
    .round(1, ['Rail again'])
    .stop('interrupted')
    .and({ type: 'session-finished', outcome: 'interrupted' })
  expect(verdictOf(log.session).final?.round).toBe(0)
  expect(verdictOf(log.session).flags).not.toContain('ungrouped')
})
