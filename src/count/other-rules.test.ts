import { describe, expect, test } from 'vitest'
import { questionOf, type Said, seatsOf, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { verdictOf } from './verdict.ts'

const because = (choice: string): Said => ({
  headline: choice,
  choice,
  credit: { seat: 's1', quote: 'the bridge carries', verified: true },
})
const sure = (choice: string, confidence: number): Said => ({ headline: choice, choice, confidence })

describe('[V34] the rule that spoke', () => {
  const ranking = questionOf({ format: 'ranking', options: ['a', 'b'] })
  const number = questionOf({ format: 'number' })
  test.each([
    ['majority', table({ seats: 2, question: yesOrNo }).round(0, ['Yes', 'Yes'])],
    ['majority', table({ seats: 2 }).round(0, ['Build', 'Build'])],
    ['schulze', table({ seats: 1, question: ranking }).round(0, [['b', 'a']])],
    ['median', table({ seats: 1, question: number }).round(0, [7])],
    [
      'majority',
      table({ seats: 4, question: yesOrNo })
        .round(0, ['Yes', 'Yes', 'Yes', 'No'])
        .round(1, ['Yes', 'Yes', 'Yes', 'Yes']),
    ],
  ])('is %s', (rule, { session }) => {
    expect(verdictOf(session).rule).toBe(rule)
  })

  test('is nobody’s for a transcript, and others say nothing of it', () => {
    const imported = { from: 'transcript' as const, line: 'All 2 models agreed', changed: [] }
    const { session } = table({ seats: 2, imported, question: yesOrNo }).round(0, ['Yes', 'No'])
    expect(verdictOf(session)).toMatchObject({ rule: null, others: [] })
  })
})

test('[V35] the sealed vote and the trajectory are shown if they decide otherwise', () => {
  const { session } = table({ seats: 5, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No'])
    .round(1, ['Yes', because('No'), 'Yes', because('No'), 'No'])
  expect(verdictOf(session)).toMatchObject({
    leading: 'No',
    others: [
      { rule: 'sealed-majority', answer: 'Yes' },
      { rule: 'trajectory', answer: 'Yes' },
    ],
  })
})

test('[V35] if the table herded, the sealed vote is shown, as ever', () => {
  const { session } = table({ seats: 5, question: yesOrNo })
    .round(0, ['Yes', 'Yes', 'Yes', 'No', 'No'])
    .round(1, ['Yes', 'No', 'No', 'No', 'No'])
  const { leading, others } = verdictOf(session)
  expect(leading).toBe('No')
  expect(others).toContainEqual({ rule: 'sealed-majority', answer: 'Yes' })
})

test('[V35] sealed confidence is shown if it decides otherwise, a tie as a tie', () => {
  const poll = (...said: Said[]) =>
    verdictOf(table({ seats: said.length, question: yesOrNo }).round(0, said).session).others
  expect(poll(sure('Yes', 0.2), sure('Yes', 0.2), sure('No', 0.9))).toEqual([
    { rule: 'sealed-confidence', answer: 'No' },
  ])
  expect(poll(sure('Yes', 0.2), sure('Yes', 0.2), sure('No', 0.4))).toEqual([
    { rule: 'sealed-confidence', answer: null },
  ])
  expect(poll(sure('Yes', 0.9), sure('No', 0.2))).toEqual([{ rule: 'sealed-confidence', answer: 'Yes' }])
})

test('[V35] camps of open answers are shown by their labels', () => {
  const { session } = table({ seats: 3 })
    .round(0, [
      { headline: 'Build', confidence: 0.1 },
      { headline: 'Build it', confidence: 0.1 },
      { headline: 'Never', confidence: 0.9 },
    ])
    .labels(0, ['Build now', 'Build now', 'Do not build'])
    .settle()
  expect(verdictOf(session).others).toEqual([{ rule: 'sealed-confidence', answer: 'Do not build' }])
})

describe('[V36] votes weighted by track record', () => {
  const seats = seatsOf(3)
  const record = {
    [seats[0]!.model]: { right: 5, of: 60 },
    [seats[1]!.model]: { right: 5, of: 60 },
    [seats[2]!.model]: { right: 59, of: 60 },
  }
  test('are shown if the session was opened with one', () => {
    const said = ['Yes', 'Yes', 'No']
    const { session } = table({ seats, question: yesOrNo, record }).round(0, said)
    expect(verdictOf(session).others).toEqual([{ rule: 'log-odds', answer: 'No' }])
    expect(verdictOf(table({ seats, question: yesOrNo }).round(0, said).session).others).toEqual([])
  })

  test('of models that aren’t at the table weigh nothing', () => {
    const { session } = table({
      seats,
      question: yesOrNo,
      record: { 'lab/other': { right: 1, of: 1 } },
    }).round(0, ['Yes', 'Yes', 'No'])
    expect(verdictOf(session).others).toEqual([])
  })
})

describe('[V37] rules of other formats', () => {
  const othersOf = (question: ReturnType<typeof questionOf>, said: readonly Said[]) =>
    verdictOf(table({ seats: said.length, question }).round(0, said).session).others

  test('Borda beside Schulze', () => {
    const question = questionOf({ format: 'ranking', options: ['a', 'b', 'c'] })
    const [ab, bc] = [
      ['a', 'b', 'c'],
      ['b', 'c', 'a'],
    ]
    expect(othersOf(question, [ab!, ab!, ab!, bc!, bc!])).toEqual([{ rule: 'borda', answer: 'b > a > c' }])
    expect(othersOf(question, [ab!, ab!])).toEqual([])
    const ba = ab!.toReversed()
    expect(othersOf(question, [ab!, ba])).toEqual([])
    expect(othersOf(question, [ab!, ['a', 'c', 'b'], bc!, ['a', 'b', 'c']])).toEqual([])
  })

  test('the geometric mean on a log scale only', () => {
    const numbers = [1, 10, 10_000]
    const log = questionOf({ format: 'number', scale: 'log', unit: 'km' })
    expect(othersOf(log, numbers)).toEqual([{ rule: 'geometric', answer: '46 km' }])
    expect(othersOf(questionOf({ format: 'number' }), numbers)).toEqual([])
  })

  test('the trimmed mean from ten numbers on', () => {
    const question = questionOf({ format: 'number' })
    expect(othersOf(question, [1, 1, 1, 1, 1, 2, 2, 2, 2, 90])).toEqual([])
    expect(othersOf(question, [1, 1, 1, 1, 1, 1, 9, 9, 9, 90])).toEqual([{ rule: 'trimmed', answer: '4' }])
    expect(othersOf(question, [1, 1, 1, 9, 90])).toEqual([])
    expect(othersOf(questionOf({ format: 'number', scale: 'log' }), [1, 1, 1, 100, 100, 100])).toEqual([])
  })

  test('mean log-odds where a probability was asked for', () => {
    const said = [1, 50, 60]
    expect(othersOf(questionOf({ format: 'number', unit: '%' }), said)).toEqual([
      { rule: 'mean-log-odds', answer: '20 %' },
    ])
    expect(othersOf(questionOf({ format: 'number', unit: 'km' }), said)).toEqual([])
    expect(othersOf(questionOf({ format: 'number', unit: '%' }), [1, 50, 160])).toEqual([])
  })

  test('the median of the sealed round', () => {
    const { session } = table({ seats: 3, question: questionOf({ format: 'number' }) })
      .round(0, [1, 2, 3])
      .round(1, [5, 5, 3])
    expect(verdictOf(session).others).toContainEqual({ rule: 'sealed-median', answer: '2' })
  })
})

test('[V38] without a quorum no rule speaks for anybody', () => {
  const { session } = table({ seats: 4, question: yesOrNo }).round(0, [
    sure('Yes', 0.1),
    sure('No', 0.9),
    silent(),
    silent(),
  ])
  expect(verdictOf(session)).toMatchObject({ level: 'no-quorum', others: [] })
})
