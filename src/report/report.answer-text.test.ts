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
