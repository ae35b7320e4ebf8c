import { afterEach, expect, test, vi } from 'vitest'
import { answerOf, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { patienceOf } from './run.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('[R81] times of an import that no timer can wait for keep nobody busy', () => {
  vi.useFakeTimers()
  const timing = { firstToken: null, total: 1e12, attempts: 1 }
  const answer = answerOf(yesOrNo, 'Yes')
  const { session } = table({ seats: 3, question: yesOrNo, patience: 100 }).and(
    { type: 'round-opened', round: 0, sealed: true },
    { type: 'answer-given', round: 0, seat: 's1', answer, timing },
    { type: 'answer-given', round: 0, seat: 's2', answer, timing },
  )
  const wake = vi.fn()
  const patience = patienceOf(() => 0, wake)
  patience.started({ type: 'ask-seat', round: 0, seat: 's3' })
  expect(patience.overdue(session)).toEqual([])
  vi.advanceTimersByTime(60_000)
  expect(wake).not.toHaveBeenCalled()
  patience.stop()
})
