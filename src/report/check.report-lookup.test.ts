import { describe, expect, test } from 'vitest'
import {
  abstained,
  questionOf,
  type Said,
  silent,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import { figuresIn, proseProblems, unprovenSpeakers } from './check.ts'
import { plainReport } from './report.ts'

/** A moved C in round 1, B conceded a point of D, D stayed with No, E was silent and F abstained throughout. */
const opinions: readonly Said[] = [
  {
    headline: 'Yes',
    choice: 'Yes',
    reasoning: 'A coach needs 0.34 kWh, a flight 0.4 to 0.6. It costs 1,250,000.',
  },
  { headline: 'Yes', choice: 'Yes', reasoning: 'Two thirds of 2.7 million people cross it; 6% walk.' },
  {
    headline: 'No',
    choice: 'No',
    reasoning: 'It was tried in 1987 and took twenty-five years, some 300 pages.',
  },
  {
    headline: 'No',
    choice: 'No',
    reasoning: 'The river floods, and seventy houses stand in its way.',
    confidence: 0.83,
  },
]
const credit = (seat: string, quote: string) => ({ credit: { seat, quote, verified: true } })
const session = table({ question: yesOrNo, language: 'en' })
  .round(0, [...opinions, silent(), abstained()])
  .round(1, [
    opinions[0]!,
    { ...(opinions[1] as object), decision: 'conceded', ...credit('s4', 'The river floods') },
    { headline: 'Yes', choice: 'Yes', decision: 'changed', ...credit('s1', 'A coach needs 0.34 kWh') },
    opinions[3]!,
    silent(),
    abstained(),
  ]).session

const ranking = table({
  seats: 3,
  question: questionOf({ format: 'ranking', options: ['Go', 'Rust', 'C'] }),
  language: 'en',
}).round(0, [
  ['Go', 'Rust', 'C'],
  ['Go', 'Rust', 'C'],
  ['Rust', 'Go', 'C'],
]).session

test('[E5] everything that code’s own report says is there', () => {
  const { answer, summary, counterpoint } = plainReport(session)
  expect(counterpoint).toBe('Claude Sonnet 4.6: No')
  expect(proseProblems(session, [answer, summary, counterpoint].join('\n'))).toEqual([])
})

describe('figures', () => {
  test.each([
    'A coach needs 0.35 kWh.',
    'A coach needs about 0.35 kWh.',
    'It costs 1,350,000.',
    'It costs €1.3m.',
    '7 % walk there.',
    '3.7 million people cross it.',
    'It was tried in 1978.',
    'It took 26 years.',
    'A flight takes 0.4–0.9 kWh.',
    'It is 8 km long.',
  ])('[E17] %j is turned down', text => {
    expect(proseProblems(session, text)).toEqual([expect.stringMatching(/^no seat gave the figure/)])
  })

  test.each([
    'A coach needs 0.34 kWh, or 34 % of a kWh; a flight 0.4–0.6.',
    'A coach needs about 0.3 kWh.',
    'It costs 1250000, or 1.25 million, or 1 250 000, or roughly 1.3 million.',
    'About 67 % of 2,700,000 people cross it, that is 2/3; 0.06 walk.',
    'It was tried in 1987 and took 25 years and some 300 pages.',
    '70 houses stand in its way, says one with a confidence of 0.83.',
    'There are 3 reasons:\n1. CO2, 2. the A4, 3. the 21st century.',
    '4 of 6 answered, which is 67 %, and 50 % agreed.',
    'GPT-5.5 and Grok 4.20 were at the table, 24/7, for a 50/50 chance.',
  ])('[E17] %j is found', text => {
    expect(proseProblems(session, text)).toEqual([])
  })

  test('[E17] signs between digits are read as people write them', () => {
    const meanings = (text: string) =>
      figuresIn(text).map(figure => figure.meanings.map(({ value }) => value))
    expect(meanings('1.000')).toEqual([[1000, 1]])
    expect(meanings('1.234,5 and 1,234.5')).toEqual([[1234.5], [1234.5]])
    expect(meanings('16.11.2026')).toEqual([[16], [11], [2026]])
    expect(meanings('٣٤ %')).toEqual([[34, 0.34]])
    expect(meanings('3万')).toEqual([[3, 30_000]])
  })

  test('[E17] in another language an answer may have spelled a number up to a hundred', () => {
    const german = { ...session, language: 'de' }
    expect(proseProblems(german, 'Es dauerte 80 Jahre.')).toEqual([])
    expect(proseProblems(german, 'Es waren 80 %, also 180 Leute.')).toHaveLength(2)
  })
})

describe('quotations', () => {
  test.each([
    'The point was “the river never floods in spring”.',
    'Seat A: “The river floods, and seventy houses stand in its way”.',
    "It was Seat B's words “It was tried in 1987 and took twenty-five years” that counted.",
  ])('[E18] %j is turned down', text => {
    expect(proseProblems(session, text)).toHaveLength(1)
  })

  test.each([
    'The point was “the river floods, and seventy houses stand in its way.”',
    'Seat D: "The river floods … stand in its way".',
    'That would be “a free lunch”, or the “best of both”.',
  ])('[E18] %j stands', text => {
    expect(proseProblems(session, text)).toEqual([])
  })

  test('[E18] who is said to have argued something needs words that prove it', () => {
    const speakers = (text: string) => unprovenSpeakers(session, text, []).length
    expect(speakers('Seat D argues that it floods.')).toBe(0)
    const still = table({ seats: 4, question: yesOrNo }).round(0, opinions).session
    expect(unprovenSpeakers(still, 'Seat D argues that it floods.', [])).toHaveLength(1)
    expect(unprovenSpeakers(still, 'Seat D argues that it floods.', [{ seat: 'D', quote: 'x' }])).toEqual([])
    expect(
      unprovenSpeakers(still, 'Seat D argues that “The river floods, and seventy houses stand”.', []),
    ).toEqual([])
  })
})

describe('what is said of seats', () => {
  test.each([
    'Seat D moved Seat C.',
    'Seat B convinced Seat A.',
    "Seat D's point about floods finally persuaded Seat C.",
    'Seat C was moved by Seat B.',
    'Seat A changed its mind.',
    'Seats A and D changed sides.',
    'What moved Seat D was the cost.',
    'Nobody changed its mind.',
    'No change of mind is recorded.',
    'Seat E argues that it floods.',
    'Seat E agreed.',
    'Seat E argues that it should not be built.',
    "Seat F's argument was the strongest.",
    'Seat A was silent.',
    'Seats A and B abstained.',
    'Seat A dissents.',
    'Seat D chose Yes.',
    'The table chose No.',
    'No won, if narrowly. The vote is over: No wins.',
    '**Seat E** argues that it floods.',
  ])('[E19] %j is turned down', text => {
    expect(proseProblems(session, text)).not.toEqual([])
  })

  test.each([
    'Seat A moved Seat C.',
    "Seat A's words about the coach moved Seat C towards Yes, and Seat D conceded nothing.",
    'Seat C was convinced by Seat A. Seat C changed its mind.',
    'Seat A moved Seat C, and Seat D stayed.',
    'Seat A moved Seat C and Seat D kept its answer.',
    'Seat D moved Seat B on the floods.',
    'Nothing moved Seat D. Seat A did not convince Seat D.',
    'What would have moved Seat D is a survey.',
    'Seat D is convinced that it floods.',
    'Nobody changed its mind in the sealed round.',
    'Seat E was silent, and Seat F abstained.',
    'Seat E said nothing, so Seat E’s view is missing.',
    'Seat A stayed silent on the floods.',
    'Seat D dissents. Seat C chose No at first. Seat C chose Yes.',
    'The table chose Yes. In the sealed round the table chose No.',
    'Seat A dissents on the cost.',
    'No seat knows the cost. Some say that No wins.',
    'Seat A and Seat B agree with the engineers that moved the bridge.',
  ])('[E19] %j stands', text => {
    expect(proseProblems(session, text)).toEqual([])
  })

  test.each([
    'Seat D brought Seat C around.',
    "Seat D changed Seat C's mind.",
    'Seat D came round to the view of Seat A.',
    'Seat D, swayed by the cost, gave way.',
    'Seat D switched to Yes.',
    'Seat D moved from No to Yes.',
    'According to Seat E, it floods.',
    'Seat E sides with the engineers.',
    'Seat D voted Yes.',
    'Nobody moved.',
    'All seats held their positions.',
    'The table says No.',
    'The verdict is No.',
    'Most seats chose No.',
  ])('[E32] %j is turned down', text => {
    expect(proseProblems(session, text)).not.toEqual([])
  })

  test.each([
    'Seat A brought Seat C around.',
    'Seat C came round to the view of Seat A, and switched to Yes.',
    'Seat C moved from No to Yes.',
    'Nobody else moved after that.',
    'According to Seat D, the river floods.',
    'The table says Yes. The table says No one knows the cost.',
    'The verdict is Yes. Most seats chose Yes. Seat D voted No.',
    'In the sealed round most seats chose No.',
  ])('[E32] %j stands', text => {
    expect(proseProblems(session, text)).toEqual([])
  })

  test('[E32] an order of the whole table is the combined one', () => {
    for (const text of [
      'The combined order is Rust > Go > C.',
      'The order is Rust, Go, C.',
      'Rust beats Go.',
      'Rust comes out on top.',
      'The winner is Rust.',
    ])
      expect(proseProblems(ranking, text)).toHaveLength(1)
    for (const text of [
      'The combined order is Go > Rust > C. Rust beats C. The winner is Go.',
      'Seat C has Rust > Go > C. One seat ranked Rust > Go > C.',
      'The dissent: Rust > Go > C.',
    ])
      expect(proseProblems(ranking, text)).toEqual([])
  })

  test('[E19] the first of a ranking is the verdict’s', () => {
    for (const text of [
      'The table ranks Rust first.',
      'Rust comes first, and Go second.',
      'Rust wins.',
      'Seat A ranks Rust first.',
    ])
      expect(proseProblems(ranking, text)).toHaveLength(1)
    for (const text of [
      'The table ranks Go first.',
      'Go comes first.',
      'Seat C ranks Rust first.',
      'Rust comes first in safety. Seat A ranks Rust first for safety.',
      'Some put Rust first.',
      'If speed counted, Rust wins.',
    ])
      expect(proseProblems(ranking, text)).toEqual([])
  })

  test('[E19] nobody is first where several share the first place', () => {
    const question = questionOf({ format: 'ranking', options: ['Rust', 'Go', 'C'] })
    const said = [
      ['Go', 'Rust', 'C'],
      ['Rust', 'Go', 'C'],
    ]
    const { session: tied } = table({ seats: 2, question }).round(0, said)
    for (const text of ['Rust comes first.', 'Go wins.', 'The order is Rust, Go, C.', 'Rust beats Go.'])
      expect(proseProblems(tied, text)).toHaveLength(1)
    for (const text of ['Rust and Go came first.', 'Rust beats C.'])
      expect(proseProblems(tied, text)).toEqual([])
  })

  test('[E19] a seat that was asked again had been silent', () => {
    const log = table({ seats: 2, question: yesOrNo }).round(0, ['Yes', silent()])
    const again = log.and({ type: 'seat-retried', round: 0, seat: 's2' }).and({
      type: 'answer-given',
      round: 0,
      seat: 's2',
      answer: { headline: 'Yes', choice: 'Yes', reasoning: 'So.', confidence: null, language: 'en' },
    })
    expect(proseProblems(again.session, 'Seat B timed out.')).toEqual([])
    expect(proseProblems(again.session, 'Seat A timed out.')).toHaveLength(1)
  })

  test('[E19] names say as much as letters', () => {
    expect(proseProblems(session, 'Claude Sonnet 4.6 moved Grok 4.20.')).toHaveLength(1)
    expect(proseProblems(session, 'GLM 4.7 moved Grok 4.20.')).toEqual([])
  })

  test('[E20] a report has an end, and long ones are checked in time that grows with their length', () => {
    expect(proseProblems(session, 'So. '.repeat(10_000))).toEqual(['it is longer than 30000 characters'])
    for (const unit of ['Seat A, ', "Seat A's ", 'Seat A moved ', '1,', '1 000 ', '“', '“a b c d” ', 'No '])
      proseProblems(session, unit.repeat(29_000 / unit.length))
  })
})
