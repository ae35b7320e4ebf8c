import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { latestRound } from '../core/session.ts'
import { objectionTask } from './answers.ts'

const told = (question: Parameters<typeof questionOf>[0], answers: readonly object[]): string => {
  const { session } = table({ seats: 2, question: questionOf(question) })
    .round(0, [...answers])
    .and({ type: 'challenge-made', round: 0, objection: 'Rails rust.' })
  return objectionTask(session, latestRound(session), 's2').join('\n')
}

test('[P123] only in open questions a position stands in the words of another seat', () => {
  const choice = { format: 'choice' as const, options: ['Rail', 'Road'] }
  const chosen = ['Rail lasts.', 'Rail is cheap.'].map(headline => ({ headline, choice: 'Rail' }))
  expect(told(choice, chosen)).toContain('against a position that you share.')
  expect(told({}, [{ headline: 'Rail' }, { headline: 'Rail' }])).toContain('against your answer.')
})
