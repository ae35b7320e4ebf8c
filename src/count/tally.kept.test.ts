import { expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  type Said,
  silent,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { shiftBetween } from './group.ts'
import { campNumbers, standingsIn } from './moves.ts'
import { tallyOf } from './tally.ts'
import { verdictOf } from './verdict.ts'

const three = questionOf({ format: 'choice', options: ['Yes', 'No', 'Maybe'] })
const five = questionOf({ format: 'choice', options: ['Yes', 'No', 'Later'] })

const states: readonly (readonly [string, readonly (readonly Said[])[], string, readonly number[]])[] = [
  [
    'a time-out takes no vote away, and makes no tie',
    [
      ['Yes', 'Yes', 'Yes', 'No', 'No', 'Maybe'],
      ['Yes', 'Yes', silent(), 'No', 'No', 'Maybe'],
    ],
    'No majority: 3 for Yes, 2 for No, 1 for Maybe; Grok 4.20 was silent (timed out): its answer from the sealed round counts',
    [3, 2, 1],
  ],
  [
    'an abstention replaces the answer before it',
    [
      ['Yes', 'Yes', 'Yes', 'No', 'No', 'Maybe'],
      ['Yes', 'Yes', abstained(), 'No', 'No', 'Maybe'],
    ],
    'Tie: 2 for Yes, 2 for No, 1 for Maybe; Grok 4.20 abstained',
    [2, 2, 1],
  ],
  [
    'also if the seat is silent after it abstained',
    [
      ['Yes', 'Yes', 'No'],
      [abstained(), 'Yes', 'No'],
      [silent(), 'Yes', 'No'],
    ],
    'Tie: 1 for Yes, 1 for No; GLM 4.7 was silent (timed out)',
    [1, 1],
  ],
  [
    'the newest answer of a seat is the one that is kept',
    [
      ['Yes', 'Yes', 'No'],
      ['No', 'Yes', 'No'],
      [silent(), 'Yes', 'No'],
    ],
    '2 of 3 models agreed; a swing: 2 of 3 said Yes after the sealed round, now 2 of 3 say No; GLM 4.7 was silent (timed out): its answer from open round 1 counts',
    [2, 1],
  ],
  [
    'a seat that never answered is missing as before',
    [
      ['Yes', 'No', silent()],
      ['Yes', 'Yes', silent('server-error')],
    ],
    'Both models that answered agreed; Grok 4.20 was silent (server error)',
    [2],
  ],
  [
    'a round in which nobody answered takes nothing back',
    [
      ['Yes', 'Yes', 'Yes', 'No', 'No', 'Later', 'Later'],
      ['Yes', 'Yes', 'No', 'No', 'Later', 'Later', 'Later'],
      Array(7).fill(silent()),
    ],
    'No majority: 3 for Later, 2 for Yes, 2 for No; nobody answered in open round 2, so this is the vote of open round 1',
    [3, 2, 2],
  ],
]

test.each(states)('[V431] %s', (_, rounds, line, sizes) => {
  const question = rounds[0]?.includes('Later') ? five : three
  const log = rounds.reduce(
    (one, said, index) => one.round(index, said),
    table({ seats: rounds[0]!.length, question }),
  )
  const over = log.and({ type: 'session-finished', outcome: 'verdict' })
  for (const { session } of [log, over]) {
    const verdict = verdictOf(session)
    expect(verdict.line).toBe(line)
    expect(verdict.final?.camps.map(({ seats }) => seats.length)).toEqual(sizes)
  }
})

test('[V431] a kept answer keeps its camp, its number and its caveat, and is drawn where it is counted', () => {
  const open = table({ seats: 3 })
    .round(0, ['Build', 'Build, if cheap', 'Never'])
    .labels(0, ['a', 'a', 'b'])
    .check(0, 's2', 's1@0', 'same with a caveat')
    .settle('different')
    .round(1, ['Build', silent(), 'Never'])
  const [sealed, last] = open.session.roundsSoFar.map(round => tallyOf(open.session, round))
  expect(last?.camps.map(({ id, seats, qualified }) => ({ id, seats, qualified }))).toEqual(
    sealed?.camps.map(({ id, seats, qualified }) => ({ id, seats, qualified })),
  )
  expect(last).toMatchObject({ level: 'supermajority', agree: 2, answered: 2, silent: ['s2'] })
  expect(last?.kept).toEqual([{ seat: 's2', round: 0 }])
  const standing = standingsIn(open.session, open.session.roundsSoFar[1], campNumbers(open.session))[1]
  expect(standing).toMatchObject({ camp: { id: sealed?.leading }, kept: { index: 0 }, qualified: true })

  const numbers = table({ seats: 3, question: questionOf({ format: 'number', tolerance: 5 }) })
    .round(0, [10, 14, 40])
    .round(1, [10, silent(), 40])
  expect(tallyOf(numbers.session, numbers.session.roundsSoFar[1]!)).toMatchObject({
    median: 14,
    camps: [{ label: '10 to 14', seats: ['s1', 's2'] }, { seats: ['s3'] }],
  })
})

test('[V431] a model that took over a seat is not held to what another one said', () => {
  const log = table({ seats: 3, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'No'])
    .round(1, [silent(), 'Yes', 'No'])
  const newcomer = { ...log.session.seats[0]!, name: 'Newcomer', model: 'lab/new' }
  const error = { kind: 'timeout', message: 'no words' } as const
  const { session } = log.and(
    { type: 'seat-replaced', round: 1, seat: newcomer },
    { type: 'seat-silent', round: 1, seat: 's1', error },
  )
  expect(verdictOf(session).line).toBe('Tie: 1 for Yes, 1 for No; Newcomer was silent (timed out)')
})

test('[P437] to stop, a protocol goes by the same count: a time-out is no movement', () => {
  const { session } = table({ seats: 4, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'No', 'No'])
    .round(1, ['Yes', silent(), 'No', 'No'])
  const [before, after] = session.roundsSoFar
  expect(shiftBetween(session, before!, after!)).toBe(0)
})
