import { expect, test } from 'vitest'
import { abstained, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { levels, levelTitle, levelWords, lineBeside } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'
import { isOnlyOne } from '../count/verdict-line.ts'
import { plainReport } from '../report/report.ts'
import { estimateLine, estimateText } from '../words/asking.ts'
import { reportTitle } from '../words/story.ts'
import {
  costText,
  counted,
  dollars,
  duration,
  models,
  percent,
  perMillion,
  rangeText,
  shortNumber,
  signedPoints,
} from './basics.ts'

test('[Q52] shares and counts', () => {
  expect([0, 0.004, 0.625, 1].map(share => percent(share))).toEqual(['0%', '0%', '63%', '100%'])
  expect(percent(0.6234, 1)).toBe('62.3%')
  expect([0.015, -0.003, 0.0001].map(share => signedPoints(share))).toEqual(['+1.5', '−0.3', '0.0'])
  expect([counted(1, 'seat'), counted(12_345, 'token')]).toEqual(['1 seat', '12,345 tokens'])
  expect([213, 1_234, 9_949, 9_950, 999_499, 999_500].map(shortNumber)).toEqual([
    '213',
    '1.2k',
    '9.9k',
    '10k',
    '999k',
    '1.0M',
  ])
  expect(rangeText('8', '8')).toBe('8')
  // A transcript's first line is read back by its digits.
  expect([models(1), models(1_200)]).toEqual(['1 model', '1200 models'])
})

test('[Q52] money and time', () => {
  expect([0, 0.00001, 0.0012, 0.0123, 0.25, 12.5].map(dollars)).toEqual([
    '$0',
    '<$0.0001',
    '$0.0012',
    '$0.012',
    '$0.25',
    '$12.50',
  ])
  expect(costText(null)).toBe('unknown')
  expect([940, 9_949, 9_950, 75_400, 720_000].map(duration)).toEqual([
    '0.9 s',
    '9.9 s',
    '10 s',
    '75 s',
    '12 min',
  ])
})

test('[Q52] levels are called by plain words, and none is called twice', () => {
  expect(new Set(levels.map(level => levelWords[level])).size).toBe(levels.length)
  expect(levelTitle('supermajority')).toBe('Large majority')
  expect(lineBeside('plurality', 'No majority: 3 for No, 1 for Yes')).toBe('3 for No, 1 for Yes')
})

test('[V91] a table of one isn’t unanimous', () => {
  expect(levelTitle('unanimous', true)).toBe('One answer')
  expect(levelTitle('unanimous-with-caveats', true)).toBe('One answer')
  expect(levelTitle('no-quorum', true)).toBe('No quorum')
  expect(levelTitle('unanimous')).toBe('Unanimous')
  const line = (seats: number): string =>
    verdictOf(table({ seats, question: yesOrNo }).round(0, Array(seats).fill('Yes')).session).line
  expect([1, 2, 3].map(seats => isOnlyOne(line(seats)))).toEqual([true, false, false])
})

test('[Q52] [R417] an estimate in one line, which says that it is usual', () => {
  const one = { low: 1, high: 1 }
  const estimate = { calls: one, inputTokens: one, outputTokens: one, costUsd: null, seconds: one }
  expect(estimateLine(estimate)).toBe('Usually: 1 call, 2 tokens, price unknown, 1 s')
  const ranged = { low: 12, high: 1_500 }
  expect(
    estimateLine({ ...estimate, calls: ranged, inputTokens: ranged, costUsd: { low: 0.03, high: 0.05 } }),
  ).toBe('Usually: 12–1.5k calls, 13–1.5k tokens, $0.030–0.050, 1 s')
  const timeOf = (low: number, high: number): string =>
    estimateText({ ...estimate, seconds: { low, high } }).time
  expect(timeOf(8, 40)).toBe('8–40 s')
  expect(timeOf(8, 320)).toBe('8 s to 5 min')
  expect(timeOf(300, 1_200)).toBe('5–20 min')
  expect(timeOf(600, 10_800)).toBe('10 min to 3 h')
})

test('[U275] a price for a million tokens has two decimals at least', () => {
  expect([0.2, 2.5, 15, 0.075, 12.34, 0].map(perMillion)).toEqual([
    ...['$0.20', '$2.50', '$15.00', '$0.075', '$12.34', 'free'],
  ])
})

test('[V78] the title above the answer says whether the table has one', () => {
  expect(reportTitle('choice', 'majority')).toBe("The table's answer")
  expect(reportTitle('choice', 'plurality')).toBe('Where the table stands')
  expect(reportTitle('text', null)).toBe('What the texts have in common')
  expect(reportTitle('text', 'no-quorum')).toBe('No verdict')
  const divided = table({ seats: 4, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No', abstained()]).session
  expect(plainReport(divided).answer).toBe('Leading, without a majority: Yes.')
})
