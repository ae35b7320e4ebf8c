import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { answerText } from './report.ts'

test('[OC55] who disagrees is followed by why', () => {
  const { session } = table({ seats: 3, question: yesOrNo, rounds: 0 })
    .round(0, ['Yes', 'Yes', 'No'])
    .and(
      {
        type: 'report-written',
        report: { answer: 'Yes.', summary: 'So.', counterpoint: 'It may rain.' },
        by: 'moderator',
      },
      { type: 'session-finished', outcome: 'verdict' },
    )
  const text = answerText(session)
  expect(text).toContain(`Dissent:\n- ${session.seats[2]!.name}: No\n\nCounterpoint: It may rain.`)
})

test('[J7] a session that is set aside says why to whoever reads its end', () => {
  const words = 'The session could not run: The process died 10 times while it ran the session.'
  const { session } = table({ seats: 2, question: yesOrNo }).and(
    { type: 'session-stopped', reason: 'failed', words },
    { type: 'session-finished', outcome: 'failed' },
  )
  expect(answerText(session)).toContain(`Note (failed): ${words}`)
})
