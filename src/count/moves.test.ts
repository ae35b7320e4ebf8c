import { expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import type { Answer } from '../core/question.ts'
import { latestRound, roundAt } from '../core/session.ts'
import { wayWords } from '../words/moves.ts'
import { flipsOf, moveOf, saidOtherwise, standingsIn } from './moves.ts'

const movesIn = ({ session }: TestLog, round: number) =>
  session.seats.map(seat => moveOf(session, roundAt(session, round)!, seat.id))

test('[M1] held, refined and switched come from camps and headlines', () => {
  const log = table({ seats: 3 })
    .round(0, ['Build', 'Build it soon', 'Never'])
    .labels(0, ['a', 'a', 'b'])
    .settle()
    .round(1, ['build.', 'Build it this year', 'Do build'])
    .labels(1, ['', 'a', 'a'])
    .settle()
  expect(movesIn(log, 1)).toEqual(['held', 'refined', 'switched'])
})

test('[M2] a move is never taken from the seat’s own word', () => {
  const log = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'No'])
    .round(1, [
      { headline: 'Yes', choice: 'Yes', decision: 'change', reason: 'new evidence' },
      { headline: 'No', choice: 'No', decision: 'keep' },
      { headline: 'Still no', choice: 'No', decision: 'change' },
    ])
  expect(movesIn(log, 1)).toEqual(['held', 'switched', 'refined'])
  expect(flipsOf(log.session).map(flip => flip.seat)).toEqual(['s2'])
})

test('[M24] a seat’s word is only compared with its move', () => {
  const said = (choice: string, decision: Answer['decision']) => ({ headline: choice, choice, decision })
  const { session } = table({ seats: 6, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'])
    .round(1, [
      said('No', 'kept'),
      said('Yes', 'changed'),
      said('No', 'keep'),
      said('No', 'changed'),
      said('No', 'conceded'),
      { headline: 'Never', choice: 'No', decision: 'narrowed' },
    ])
  const notes = session.seats.map(({ id }) => saidOtherwise(session, roundAt(session, 1)!, id))
  expect(notes).toEqual(['kept', 'changed', 'kept', undefined, undefined, undefined])
})

test('[M3] a first answer isn’t a move, in whatever round it comes', () => {
  const log = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', silent(), abstained()])
    .round(1, ['Yes', 'No', 'No'])
  expect(movesIn(log, 0)).toEqual([null, null, null])
  expect(movesIn(log, 1)).toEqual(['held', null, null])
})

test('[M4] silent and abstained are moves of their own, and a silent round makes nobody forget', () => {
  const log = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'No'])
    .round(1, [silent(), abstained(), silent()])
    .round(2, ['Yes', 'No', 'No'])
  expect(movesIn(log, 1)).toEqual(['silent', 'abstained', 'silent'])
  expect(movesIn(log, 2)).toEqual(['held', 'switched', 'held'])
})

test('[M5] nobody is shown as switched while the camps are still being asked for', () => {
  const log = table({ seats: 2 })
    .round(0, ['Build', 'Never'])
    .labels(0, ['a', 'b'])
    .round(1, ['Do build', 'Never'])
  expect(movesIn(log, 1)).toEqual([null, null])
  const labelled = log.labels(1, ['a', ''])
  expect(movesIn(labelled, 1)).toEqual([null, null])
  expect(movesIn(labelled.settle(), 1)).toEqual(['refined', 'held'])
  expect(flipsOf(log.session)).toEqual([])
})

test('[M6] if nobody compared the headlines, new words are a rewording and another’s words a switch', () => {
  const log = table({ seats: 3, moderator: null })
    .round(0, ['Build', 'Never', 'Later'])
    .round(1, ['Build it at once', 'Build', 'Later'])
  expect(movesIn(log, 1)).toEqual(['refined', 'switched', 'held'])
})

test('[M7] on a log scale nobody moves because a neighbour did', () => {
  const question = questionOf({ format: 'number', scale: 'log' })
  const log = table({ seats: 3, question }).round(0, [100, 105, 3_000]).round(1, [100, 97, 100])
  expect(movesIn(log, 1)).toEqual(['held', 'refined', 'switched'])
})

test('[M8] a flip carries where from, where to, why, and whose words', () => {
  const credit = { seat: 's1', quote: 'the bridge carries', verified: true }
  const log = table({ seats: 2, question: yesOrNo })
    .round(0, ['Yes', 'No'])
    .round(1, ['Yes', { headline: 'Yes', choice: 'Yes', reason: 'error found', credit }])
  expect(flipsOf(log.session)).toEqual([
    { seat: 's2', round: 1, from: 'No', to: 'Yes', direction: null, reason: 'error found', credit },
  ])
})

test('[M9] an imported transcript lacks its earlier rounds, so its own marks count', () => {
  const imported = { from: 'transcript' as const, line: 'All 2 models agreed', changed: ['s2'] }
  const log = table({ seats: 2, imported }).round(1, ['Build', 'Build too'])
  expect(movesIn(log, 1)).toEqual(['held', 'switched'])
})

test('[M20] a flip went toward the plurality of the round before, away from it, or beside it', () => {
  const question = questionOf({ format: 'choice', options: ['a', 'b', 'c'] })
  const log = table({ seats: 6, question })
    .round(0, ['a', 'a', 'a', 'b', 'b', 'c'])
    .round(1, ['a', 'a', 'c', 'a', 'b', 'b'])
  expect(flipsOf(log.session).map(({ seat, direction }) => [seat, direction])).toEqual([
    ['s3', 'away'],
    ['s4', 'toward'],
    ['s6', 'aside'],
  ])
})

test('[M20] if no camp led, a flip has no direction', () => {
  const log = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'No']).round(1, ['Yes', 'Yes'])
  expect(flipsOf(log.session)).toMatchObject([{ seat: 's2', direction: null }])
})

test('[M26] what a seat did last is not its whole way', () => {
  const log = table({ seats: 2, question: yesOrNo })
    .round(0, ['Yes', 'No'])
    .round(1, ['Yes', 'Yes'])
    .round(2, ['Yes', 'Yes'])
  const [first, second] = standingsIn(log.session, latestRound(log.session), new Map())
  expect([first?.move, first?.changedIn]).toEqual(['held', []])
  expect([second?.move, second?.changedIn]).toEqual(['held', [1]])
  expect(wayWords('choice', 'held', [])).toBe('held its position')
  expect(wayWords('choice', 'held', [1])).toBe('changed its mind in round 1')
  expect(wayWords('choice', 'refined', [1])).toBe('changed its mind in round 1, then refined its position')
  expect(wayWords('choice', 'switched', [1, 2, 3])).toBe('changed its mind in rounds 1, 2 and 3')
})
