import { expect, test } from 'vitest'
import { questionOf, type Said, table, yesOrNo } from '../../../test/contracts/core-testing.ts'
import { sampleLog } from '../../../test/sample-session.ts'
import { fold } from '../../core/fold.ts'
import type { Session } from '../../core/session.ts'
import { verdictOf } from '../../count/verdict.ts'
import { answerAlone, lineOf } from './session-parts.tsx'

const answered = (said: readonly Said[], answer: string, question = yesOrNo): Session =>
  table({ seats: said.length, question })
    .round(0, said)
    .and({ type: 'report-written', by: 'moderator', report: { answer, summary: '' } }).session

const foundOf = (session: Session) => {
  const { level, line } = verdictOf(session)
  return {
    ...{ id: session.id, question: session.question.text, openedAt: session.openedAt, level, line },
    ...{ protocol: 'poll', models: [], tags: [], parent: null, link: null, outcome: 'verdict' as const },
  }
}

test('[U281] the answer of a table without a majority says so, once', () => {
  const session = fold(sampleLog)
  expect(verdictOf(session).level).toBe('plurality')
  expect(answerAlone(session)).toBe('Leading, without a majority: A hot dog is not a sandwich.')
  const divided = ['Yes', 'Yes', 'No', 'Maybe', 'Never']
  const said = 'The table reached no majority; Yes leads.'
  expect(answerAlone(answered(divided, said))).toBe(said)
  expect(answerAlone(answered(['Yes', 'Yes', 'No'], 'Yes.'))).toBe('Yes.')
  const number = questionOf({ format: 'number', unit: 'km' })
  expect(answerAlone(answered([1, 1, 5, 9, 20], 'About 5 km.', number))).toBe('About 5 km.')
})

test('[U281] a count without a majority is out of all seats', () => {
  const session = fold(sampleLog)
  const found = foundOf(session)
  expect(lineOf(found, session)).toMatch(/^3 of 6 for No, 1 for Yes; /)
  // Nobody knows how many sit there until the session is loaded.
  expect(lineOf(found, undefined)).toMatch(/^3 for No, 1 for Yes; /)
  const most = answered(['Yes', 'Yes', 'No'], 'Yes.')
  expect(lineOf(foundOf(most), most)).toBe('2 of 3 models agreed')
})
