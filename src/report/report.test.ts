import { expect, test } from 'vitest'
import { questionOf, type Said, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { verdictOf } from '../count/verdict.ts'
import { contradictions } from './check.ts'
import { movesText, plainReport } from './report.ts'

const tableOf = (...rounds: readonly (readonly Said[])[]) =>
  rounds.reduce(
    (log, said, index) => log.round(index, said),
    table({ seats: rounds[0]!.length, question: yesOrNo }),
  ).session

const tables = {
  'all six': tableOf(['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'Yes']),
  'five of six': tableOf(['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'No']),
  'five, one silent': tableOf(['Yes', 'Yes', 'Yes', 'Yes', 'Yes', silent()]),
  'three to three': tableOf(['Yes', 'Yes', 'Yes', 'No', 'No', 'No']),
  'six after four': tableOf(
    ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'],
    [
      ...(['Yes', 'Yes', 'Yes', 'Yes'] as const),
      { headline: 'Yes', choice: 'Yes', credit: { seat: 's1', quote: 'the bridge carries', verified: true } },
      { headline: 'Yes', choice: 'Yes', credit: { seat: 's1', quote: 'the bridge carries', verified: true } },
    ],
  ),
} as const

test.each<readonly [keyof typeof tables, string]>([
  ['five of six', 'All six models agreed on Yes.'],
  ['five of six', 'All 6 models agreed.'],
  ['five of six', 'It is a view shared by all six models.'],
  ['five of six', 'The models unanimously chose Yes.'],
  ['five of six', 'The table was unanimous.'],
  ['five of six', 'A unanimous verdict for Yes.'],
  ['five of six', 'Four of the six models agreed.'],
  ['five of six', '5 of 7 seats agreed.'],
  ['five of six', 'Six out of six agreed.'],
  ['five of six', 'Two seats dissented.'],
  ['five of six', 'Everyone agreed that it should be built.'],
  ['five of six', 'Every seat agrees.'],
  ['five of six', 'Three seats changed their minds.'],
  ['five of six', 'The table is evenly split.'],
  ['five of six', 'Two models were silent.'],
  ['five of six', 'Les modèles sont unanimes.'],
  ['five of six', '4 sur 6 modèles disent oui.'],
  ['five, one silent', 'All six models agreed.'],
  ['five, one silent', 'The table was unanimous.'],
  ['three to three', 'A majority of the seats chose Yes.'],
  ['three to three', 'Most models agreed on Yes.'],
  ['three to three', 'The table decided by a narrow majority.'],
  ['three to three', 'Four seats voted for Yes.'],
  ['all six', '5 of 6 models agreed.'],
  ['all six', 'One seat dissented.'],
  ['all six', 'All seven models agreed.'],
])('[E1] %s: a report that says %j is turned down', (name, text) => {
  expect(contradictions(text, verdictOf(tables[name]))).not.toEqual([])
})

test.each<readonly [keyof typeof tables, string]>([
  ['all six', 'All six models agreed, and the table was unanimous.'],
  ['five of six', '5 of 6 models agreed; one seat dissented.'],
  ['five of six', 'A majority of the seats chose Yes, though it was not unanimous.'],
  ['five of six', 'The table was nearly unanimous. Almost all models agreed.'],
  ['five of six', 'All six models considered the cost, and all six seats answered.'],
  ['five, one silent', 'All five models that answered agreed. The models that answered were unanimous.'],
  ['five, one silent', 'One model was silent, and five seats agreed.'],
  ['three to three', 'There was no majority of the seats; three seats favoured Yes.'],
  ['three to three', 'Neither side won a majority of the table, and the vote was tied.'],
  [
    'six after four',
    'At first 4 of 6 models agreed; two seats changed their minds, and all six models agreed.',
  ],
])('[E1] %s: a report that says %j holds', (name, text) => {
  expect(contradictions(text, verdictOf(tables[name]))).toEqual([])
})

test.each([
  'Two arguments decided it, and one of the reasons is cost.',
  'In 2 of 3 studies the effect vanished.',
  '5 out of 6 patients recovered, and nine of ten dentists agree.',
  'The court ruled unanimously in 1954; a unanimous jury is required.',
  'The majority of voters oppose it, and a majority rule would fail.',
  'Most people agree that 3 of 4 bridges are safe.',
  'Three climate models agree on two degrees.',
  'There are two models of governance, and four seats in the car.',
  'Party A won 12 seats of 40.',
  'All three options are legal; every option has a cost.',
  'Everyone who drives pays.',
  'Seat A cites 7 of 9 trials, and Seat B a tie in 1962.',
  'Scientists reached a consensus.',
])('[E2] a statement about the world isn’t a count of seats: %j', text => {
  for (const session of Object.values(tables)) expect(contradictions(text, verdictOf(session))).toEqual([])
})

test('[E3] the sealed count may be reported beside the final one, also if the table herded', () => {
  const session = tableOf(
    ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'],
    ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'Yes'],
  )
  expect(verdictOf(session).flags).toContain('herding')
  expect(contradictions('All six models agreed.', verdictOf(session))).toEqual([])
  expect(contradictions('4 of 6 models agreed.', verdictOf(session))).toEqual([])
  expect(contradictions('5 of 6 models agreed.', verdictOf(session))).not.toEqual([])
})

test('[E4] the plain report has the answer, the line, who moved whom, and the dissent', () => {
  const credit = { seat: 's1', quote: 'the bridge carries', verified: true }
  const said: Said[] = ['Yes', 'Yes', { headline: 'Yes', choice: 'Yes', credit }, 'No']
  expect(plainReport(tableOf(['Yes', 'Yes', 'No', 'No'], said))).toEqual({
    answer: 'Yes.',
    summary:
      '3 of 4 models agreed. Grok 4.20 changed its mind in round 1, citing GLM 4.7: “the bridge carries”.',
    counterpoint: 'Claude Sonnet 4.6: No',
  })
  expect(plainReport(tables['all six'])).toEqual({ answer: 'Yes.', summary: 'All 6 models agreed.' })
})

test('[E4] who did the same in the same rounds is told in one breath, and each seat once', () => {
  const credit = { seat: 's4', quote: 'Because of reasons', verified: true }
  const log = table({ seats: 4, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'No'])
    .round(1, ['No', 'No', { headline: 'No', choice: 'No', credit }, 'No'])
    .round(2, ['Yes', 'Yes', 'Yes', 'No'])
  expect(movesText(log.session)).toBe(
    'GLM 4.7 and Gemini 3.5 Flash changed their minds in rounds 1 and 2; Grok 4.20 changed its mind in round 1, citing Claude Sonnet 4.6: “Because of reasons”; again in round 2.',
  )
})

test('[E4] the plain report says who conceded or narrowed, and nothing of moves if there are none', () => {
  const credit = { seat: 's3', quote: 'the river floods', verified: true }
  const said: Said[] = [
    { headline: 'Yes', choice: 'Yes', decision: 'conceded', credit },
    { headline: 'Yes', choice: 'Yes', decision: 'narrowed' },
    'No',
  ]
  expect(plainReport(tableOf(['Yes', 'Yes', 'No'], said)).summary).toBe(
    '2 of 3 models agreed. GLM 4.7 conceded a point in round 1, citing Grok 4.20: “the river floods”; Gemini 3.5 Flash narrowed its answer in round 1.',
  )
  const still = tableOf(['Yes', 'Yes', 'No'], ['Yes', 'Yes', 'No'])
  expect(plainReport(still).summary).toBe('2 of 3 models agreed.')
})

test('[E4] without a leading camp or a quorum, the plain report claims no answer', () => {
  expect(plainReport(tables['three to three']).answer).toBe('The table came to no common answer.')
  expect(plainReport(tableOf(['Yes', silent(), silent()])).answer).toBe(
    'Too few models answered for the table to have an answer.',
  )
  expect(plainReport(tableOf([silent(), silent()])).answer).toBe('No model answered.')
})

test('[E4] rankings and numbers are answered by their combined value', () => {
  const number = questionOf({ format: 'number', unit: 'km' })
  expect(plainReport(table({ seats: 3, question: number }).round(0, [1, 2, 9]).session).answer).toBe(
    'About 2 km (answers from 1 to 9).',
  )
  const ranking = questionOf({ format: 'ranking', options: ['a', 'b'] })
  expect(plainReport(table({ seats: 1, question: ranking }).round(0, [['b', 'a']]).session).answer).toBe(
    'b > a.',
  )
})
