import { expect, test } from 'vitest'
import { abstained, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { endingOf, saidByEnding } from './moves.ts'
import { careRemarks, careSentence } from './words.ts'

const none = { failures: [], rejected: [] }

test('[V68] what a reader should know is one sentence, and nothing is in it twice', () => {
  expect(careSentence(careRemarks([], none))).toBeUndefined()
  expect(careSentence(careRemarks(['report by code'], none))).toBe(
    'Read with care: code wrote this report, not a moderator.',
  )
  const error = { kind: 'timeout', message: 'no token' } as const
  const remarks = careRemarks(['report by code', 'budget reached'], {
    failures: [
      { task: 'group', error },
      { task: 'group', error },
    ],
    rejected: ['it says 5', 'it says 5'],
    stopped: { reason: 'budget', words: 'The budget of $1 has no room for another call.' },
  })
  expect(remarks.map(({ head }) => head)).toEqual([
    'report by code',
    'budget reached',
    'moderator could not group the answers',
  ])
  expect(remarks.map(({ words }) => words)).toEqual([
    expect.stringMatching(/ it says 5$/),
    'The budget of $1 has no room for another call.',
    expect.stringMatching(/no token \(2 times\)$/),
  ])
  expect(careSentence(remarks)).toBe(
    'Read with care: code wrote this report, not a moderator; the budget ran out; the moderator could not group the answers.',
  )
  const many = careRemarks(['herding', 'length bias', 'low confidence', 'failed', 'demo-grade'], none)
  expect(careSentence(many)).toMatch(/; and 2 more\.$/)
})

test('[V68] what the moderator failed at is told once, whatever the reasons were', () => {
  const failed = (kind: 'timeout' | 'server-error') => ({ task: 'digest', error: { kind, message: '' } })
  const failures = [failed('timeout'), failed('server-error'), failed('timeout')]
  const remarks = careRemarks([], { failures, rejected: [] })
  expect(careSentence(remarks)).toBe('Read with care: the moderator could not sum up the round.')
  expect(remarks[0]?.words).toBe('timed out (2 times); server error')
})

test('[V69] [AC157] a session without a verdict says so in one sentence, with an act that can work', () => {
  const over = (log: ReturnType<typeof table>, outcome: 'no-quorum' | 'budget' | 'interrupted') =>
    endingOf(log.and({ type: 'session-finished', outcome }).session)
  const few = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', silent(), silent()])
  expect(endingOf(few.session)).toBeUndefined()
  expect(over(few, 'no-quorum')).toEqual({
    words: 'Only 1 of 3 models answered, and a verdict needs more than half of them.',
    act: 'ask silent seats',
  })
  const unwilling = table({ seats: 2, question: yesOrNo }).round(0, [abstained(), abstained()])
  expect(over(unwilling, 'no-quorum')).toEqual({
    words: 'None of 2 models answered, and a verdict needs more than half of them.',
    act: 'another table',
  })
  expect(over(few.stop('budget'), 'budget')).toEqual({
    words: 'The budget ran out when 1 of 3 models had answered, too few for a verdict.',
    act: 'larger budget',
  })
  expect(over(few.stop('interrupted'), 'interrupted')?.act).toBe('resume')
  const words = 'The budget of Ada, 10 tokens a day, is smaller than this call. Ask an admin to raise it.'
  expect(over(few.stop('budget', words), 'budget')).toEqual({
    words: `The session was stopped when 1 of 3 models had answered, too few for a verdict. ${words}`,
    act: 'resume',
  })
  const capped = table({ seats: 3, question: yesOrNo, budget: { usd: 0.5 } })
    .round(0, ['Yes'])
    .stop('budget')
  expect(over(capped, 'budget')?.words).toMatch(/^The budget of \$0\.50 ran out when 1 of 3 /)
  const own = capped.stop('budget', 'The budget of $0.5 has no room for another call.')
  expect(over(own, 'budget')).toMatchObject({ act: 'larger budget' })
  expect(over(capped.stop('budget', words), 'budget')).toMatchObject({ act: 'resume' })
  expect(saidByEnding(few.session)).toEqual([])
  const done = capped.and({ type: 'session-finished', outcome: 'budget' }).session
  expect(saidByEnding(done)).toContain('budget reached')
  const voted = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No']).round(1, ['Yes'])
  expect(over(voted.stop('budget'), 'budget')?.words).toBe(
    'The budget ran out before the end: this is the vote of the sealed round.',
  )
})

test('[V79] what a stop cut short is no failure of the moderator', () => {
  const cut = (kind: 'cancelled' | 'budget' | 'timeout') => ({
    task: 'report',
    error: { kind, message: 'cut' },
  })
  const stopped = { reason: 'interrupted', words: 'Somebody stopped the session.' } as const
  const heads = (problems: Parameters<typeof careRemarks>[1]): string[] =>
    careRemarks(['interrupted'], problems).map(({ head }) => head)
  const failures = [cut('cancelled'), cut('budget')]
  expect(heads({ failures, rejected: [], stopped })).toEqual(['interrupted'])
  expect(heads({ failures: [cut('timeout')], rejected: [], stopped })).toHaveLength(2)
  expect(heads({ failures, rejected: [] }).length).toBeGreaterThan(1)
})
