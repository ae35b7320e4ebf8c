import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, yesOrNo } from '../../test/contracts/core-testing.ts'
import { replyShape } from './form.ts'
import { numberFrom } from './number.ts'
import type { Answer, Question } from './question.ts'
import { type ParsedReply, readReply } from './reply.ts'

fc.configureGlobal({ seed: 2026 })

const good = {
  headline: 'It is so.',
  reasoning: 'Because.',
  confidence: 0.8,
  wouldChangeMind: 'Proof.',
  language: 'en',
}
const open = questionOf()
const read = (reply: object, question: Question = open, later = false): ParsedReply =>
  readReply({ ...good, ...reply }, question, later)
const answer = (reply: object, question: Question = open, later = false): Omit<Answer, 'language'> => {
  const parsed = read(reply, question, later)
  if (!parsed.ok) throw new Error('problem' in parsed ? parsed.problem : parsed.declines)
  return parsed.answer
}
const problem = (reply: object, question: Question = open): string => {
  const parsed = read(reply, question)
  return 'problem' in parsed ? parsed.problem : ''
}

test.each([
  [0.8, 0.8],
  [1, 1],
  [0, 0],
  [80, 0.8],
  ['80%', 0.8],
  ['1%', 0.01],
  ['0.8', 0.8],
  ['0,8', 0.8],
  ['8/10', 0.8],
  ['8 / 10', 0.8],
  [100, 1],
  [5, null],
  [1.5, null],
  [180, null],
  [-1, null],
  ['high', null],
  [null, null],
  [undefined, null],
])('[Q7] confidence %j is read as %j', (said, meant) => {
  expect(answer({ confidence: said }).confidence).toBe(meant)
})

test.each([
  ['Yes', 'Yes'],
  [' yes. ', 'Yes'],
  ['**No**', 'No'],
  ['1', 'Yes'],
  [2, 'No'],
  ['B', 'No'],
  ['b)', 'No'],
  ['(A)', 'Yes'],
  ['Option 2', 'No'],
  ['B) No', 'No'],
  ['1. Yes', 'Yes'],
])('[Q8] choice %j means %j', (said, meant) => {
  expect(answer({ choice: said }, yesOrNo).choice).toBe(meant)
})

test.each(['Maybe', 'Yes and no', '3', 'C', 0, '', null, ['Yes']])(
  '[Q8] choice %j is none of the options',
  said => {
    expect(problem({ choice: said }, yesOrNo)).toMatch(/^choice is none of the options/)
  },
)

test('[Q8] an option’s own words come before its number, letter or look-alike', () => {
  const choice = (said: unknown, ...options: string[]) =>
    answer({ choice: said }, questionOf({ format: 'choice', options })).choice
  expect(choice('3', '2', '3', '4')).toBe('3')
  expect(choice('C#', 'C', 'C#')).toBe('C#')
  expect(choice('B', 'B', 'A')).toBe('B')
  expect(choice('B. Traven', 'Traven', 'B. Traven')).toBe('B. Traven')
  expect(choice('5!', '5', '5!')).toBe('5!')
  expect(() => choice('2', '10', '20')).toThrow(/none of the options/)
})

test.each([
  [384400, undefined, 384400],
  ['384,400.0 km', 'km', 384400],
  ['384 400', 'km', 384400],
  ['1_000_000.5', undefined, 1000000.5],
  ['1.234.567', undefined, 1234567],
  ['3,5', undefined, 3.5],
  ['3.5', undefined, 3.5],
  ['-40', '°C', -40],
  ['−40 °C', '°C', -40],
  ['3.8e5', undefined, 380000],
  ['≈ 12', undefined, 12],
  ['5 million', undefined, 5e6],
  ['5 million people', 'people', 5e6],
  ['5 million', 'million', 5],
  ['50 %', '%', 50],
])('[Q9] number %j in %j is read as %j', (said, unit, meant) => {
  expect(answer({ number: said }, questionOf({ format: 'number', unit })).number).toBe(meant)
})

test.each([
  ['384 km', 'm'],
  ['384 km', undefined],
  ['2 or 3', undefined],
  ['10^6', undefined],
  ['3/4', undefined],
  ['5 k', undefined],
  ['many', undefined],
  ['', undefined],
  [null, undefined],
  [Number.NaN, undefined],
  ['12-15', undefined],
])('[Q9] number %j in %j could mean two things, or nothing', (said, unit) => {
  expect(problem({ number: said }, questionOf({ format: 'number', unit }))).toMatch(/^number is not a number/)
})

test('[Q9] every number that is written out is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), value => {
      if (Math.abs(value) < 1e3 || Math.abs(value) >= 1e6)
        expect(numberFrom(value.toLocaleString('en-US'))).toBe(value)
      expect(numberFrom(String(value))).toBe(value)
    }),
  )
})

test('[Q10] a ranking holds every option exactly once, in any spelling that an option may have', () => {
  const question = questionOf({ format: 'ranking', options: ['Rail', 'Road', 'River'] })
  expect(answer({ ranking: ['river', '1', '2. Road'] }, question).ranking).toEqual(['River', 'Rail', 'Road'])
  expect(answer({ ranking: 'Road > Rail > River' }, question).ranking).toEqual(['Road', 'Rail', 'River'])
  for (const ranking of [
    ['Rail', 'Road'],
    ['Rail', 'Rail', 'Road', 'River'],
    ['Rail', 'Road', 'Sky'],
    'Rail',
    null,
  ])
    expect(problem({ ranking }, question)).toMatch(/^ranking does not hold every option once/)
  fc.assert(
    fc.property(fc.shuffledSubarray(question.options, { minLength: 3 }), ranking => {
      expect(answer({ ranking }, question).ranking).toEqual(ranking)
    }),
  )
})

test('[Q11] a closed answer without a headline is its own headline; an open one is no answer', () => {
  expect(answer({ headline: ' ', choice: 'no' }, yesOrNo).headline).toBe('No')
  const number = questionOf({ format: 'number', unit: 'km' })
  expect(answer({ headline: undefined, number: 384400 }, number).headline).toBe('384,400 km')
  expect(problem({ headline: '' })).toBe('headline is missing')
  for (const raw of [null, [], 'text', 7]) expect(readReply(raw, open, false)).toMatchObject({ ok: false })
})

test('[Q16] a headline or a number without end is a problem', () => {
  expect(answer({ headline: 'x'.repeat(2_000) }).headline).toHaveLength(2_000)
  expect(problem({ headline: 'x'.repeat(2_001) })).toBe('headline is longer than 2000 characters')
  expect(numberFrom('1'.padEnd(200, '0'))).toBe(1e199)
  expect(numberFrom('1'.padEnd(201, '0'))).toBeUndefined()
})

test('[Q12] only a seat that has answered before says what became of its answer, why, and whose words did it', () => {
  const points = [
    { seat: 'C', quote: 'the moon is far', judgement: 'does not hold', why: 'It is near.' },
    { seat: 'B', quote: 'the moon is cold', judgement: 'holds', why: 'It was measured.' },
  ]
  const later = { points, decision: 'conceded', reason: "a peer's point", because: [2] }
  expect(read(later, open, true)).toMatchObject({
    ok: true,
    answer: { decision: 'conceded', reason: "a peer's point" },
    points: [
      { peer: 'C', quote: 'the moon is far', judgement: 'does not hold' },
      { peer: 'B', quote: 'the moon is cold', judgement: 'holds', why: 'It was measured.', moved: true },
    ],
    credit: { peer: 'B', quote: 'the moon is cold' },
  })
  expect(read(later, open, false)).toMatchObject({ points: [] })
  expect(read(later, open, false)).not.toHaveProperty('credit')
  expect(answer(later, open, false)).not.toHaveProperty('decision')
  expect(answer({ ...later, decision: 'kept' }, open, true)).not.toHaveProperty('reason')
  expect(read({ ...later, decision: 'kept' }, open, true)).not.toHaveProperty('credit')
  expect(answer({ ...later, reason: 'peer pressure' }, open, true)).not.toHaveProperty('reason')
  for (const reason of ['the objection', 'my own error']) {
    const helped = read({ ...later, reason }, open, true)
    expect(helped).toMatchObject({ answer: { reason }, points: [{}, { moved: true }] })
    expect(helped).not.toHaveProperty('credit')
  }
  expect(read({ decision: 'change', peer: 'B', quote: 'the moon is cold' }, open, true)).toMatchObject({
    answer: { decision: 'changed' },
    credit: { peer: 'B', quote: 'the moon is cold' },
  })
})

test('[Q13] the form follows the order of thought, and has the format’s value and nothing else', () => {
  const keys = (question: Question, later: boolean) =>
    Object.keys(replyShape(question, later).json.properties as Record<string, unknown>)
  expect(keys(open, false)).toEqual([
    'reading',
    'reasoning',
    'declines',
    'headline',
    'confidence',
    'wouldChangeMind',
  ])
  expect(keys(yesOrNo, true)).toEqual([
    'points',
    'reading',
    'reasoning',
    'decision',
    'reason',
    'because',
    'declines',
    'choice',
    'headline',
    'confidence',
    'wouldChangeMind',
  ])
  expect(replyShape(yesOrNo, false).json).toMatchObject({
    additionalProperties: false,
    properties: { choice: { enum: ['Yes', 'No'] } },
  })
})
