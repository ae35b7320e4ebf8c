import { expect, test } from 'vitest'
import { type TestLog, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { plainReport } from '../report/report.ts'
import { betweenRoundsOf, namesIn, saidReply, unreadWords } from './moves.ts'

const asked = table({ seats: 2, question: yesOrNo, rounds: 1 })
const closed = asked.round(0, ['Yes', 'No'])

test.each<readonly [string, TestLog, RegExp]>([
  ['while a round is answered, and another may follow', asked.round(0, ['Yes']), /^The seats read it in the/],
  ['between two rounds', closed, /^If another round follows/],
  ['in the last round', closed.round(1, ['Yes']), /^No round is left/],
  ['after the last round', closed.round(1, ['Yes', 'No']), /^No round is left/],
])(
  '[V435] what becomes of words of the asker is promised only if it is certain: %s',
  (_, { session }, words) => {
    expect(saidReply(session)).toMatch(words)
  },
)

test('[V435] words that no round followed are told as unread', () => {
  const said = closed.and({ type: 'asker-said', words: 'It floods.' })
  const heads = ({ session }: TestLog): string[] =>
    session.roundsSoFar
      .flatMap(round => betweenRoundsOf(round, namesIn(session, round)))
      .map(({ who }) => who)
  const finished = { type: 'session-finished', outcome: 'verdict' } as const
  expect(heads(said)).toEqual(['The asker'])
  expect(heads(said.and(finished))).toEqual([`The asker (${unreadWords})`])
  expect(heads(said.round(1, ['Yes', 'No']).and(finished))).toEqual(['The asker'])
  expect(plainReport(said.session).summary).toContain('The asker added, when no round followed: “It floods.”')
})
