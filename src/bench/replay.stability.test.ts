import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { verdictOf } from '../count/verdict.ts'
import { leadingWords, type Run, stabilityOf } from './replay.ts'

const run = (leading: string | null, agree = 3, flips = 0): Run => ({
  id: 'x',
  seed: 's',
  leading,
  level: 'majority',
  agree,
  of: 4,
  flips,
})

test('[B55] how often each answer led is counted, with an interval, and what led nowhere is undecided', () => {
  const found = stabilityOf([run('Yes', 4), run('yes.', 2, 3), run('No'), run(null, 2, 1)], 'headline')
  expect(found.leaders).toMatchObject([
    { answer: 'Yes', runs: 2, share: 0.5 },
    { answer: 'No', runs: 1, share: 0.25 },
  ])
  const [low, high] = found.leaders[0]!.interval
  expect([low, high].map(value => Number(value.toFixed(3)))).toEqual([0.15, 0.85])
  expect(found.undecided).toBe(1)
  expect(found.agreement).toEqual({ mean: 11 / 16, low: 0.5, high: 1 })
  expect(found.flips).toEqual({ mean: 1, low: 0, high: 3 })
})

test('[B56] two runs that came to nothing do not agree; one run alone says nothing about stability', () => {
  expect(stabilityOf([run('Yes'), run('Yes'), run('Yes'), run('No')], 'value').sameTwice).toBe(0.5)
  expect(stabilityOf([run(null), run(null)], 'value').sameTwice).toBe(0)
  expect(stabilityOf([run('Yes')], 'value').sameTwice).toBeNull()
})

test('[B57] where somebody grouped the answers, the groups count and not the words', () => {
  const runs = [run('Begin small.'), run('Start with little.'), run('Wait.')]
  expect(stabilityOf(runs, 'headline').leaders).toHaveLength(3)
  const grouped = stabilityOf(runs, 'moderator', ['small', 'small', 'wait'])
  expect(grouped.leaders.map(({ answer, runs: count }) => [answer, count])).toEqual([
    ['Begin small.', 2],
    ['Wait.', 1],
  ])
})

test('[B55] what led is a value, or the headline of an open camp; nothing where it is a tie', () => {
  const words = (...said: readonly string[]): string | null =>
    leadingWords(verdictOf(table({ seats: said.length, question: yesOrNo }).round(0, said).session), false)
  expect(words('Yes', 'Yes', 'No')).toBe('Yes')
  expect(words('Yes', 'No')).toBeNull()
})
