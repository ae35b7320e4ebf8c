import { expect, test } from 'vitest'
import { askedQuestionSchema, questionSchema } from './question.ts'

const options = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`)
const problems = (question: object): string[] =>
  questionSchema.safeParse({ text: 'Why?', ...question }).error?.issues.map(issue => issue.message) ?? []

test('[Q4] choice and ranking take 2 to 20 different options, the other formats none', () => {
  for (const format of ['choice', 'ranking']) {
    for (const count of [2, 20]) expect(problems({ format, options: options(count) })).toEqual([])
    for (const count of [0, 1, 21])
      expect(problems({ format, options: options(count) })).toEqual([
        `A ${format} question needs 2 to 20 options, and this one has ${count}.`,
      ])
  }
  for (const format of ['open', 'number', 'text'])
    expect(problems({ format, options: options(2) })).toHaveLength(1)
  expect(problems({ format: 'choice', options: ['Yes', ' yes '] })).toEqual(['Two options are the same.'])
  expect(problems({ format: 'choice', options: ['Yes', ' '] })).toContain('An option is empty.')
})

test('[Q21] options that replies could not tell apart are refused when they are asked, and read in a log', () => {
  const question = { text: 'Is it so?', format: 'choice', options: ['Yes', 'Yes.', 'No'] }
  expect(questionSchema.safeParse(question).success).toBe(true)
  expect(askedQuestionSchema.safeParse(question).error?.issues.map(({ message }) => message)).toEqual([
    `A reply couldn't tell two options apart: "Yes" and "Yes.".`,
  ])
})

test('[Q5] a question has 1 to 100,000 characters', () => {
  expect(problems({ text: 'x'.repeat(100_000) })).toEqual([])
  expect(problems({ text: 'x'.repeat(100_001) })).toEqual([
    'The question is longer than 100000 characters: put the rest into an attachment.',
  ])
  expect(problems({ text: ' \n' })).toEqual(['The question is empty: write what you want to know.'])
})

test('[Q6] unit and log scale go with numbers only; open is the format unless told', () => {
  expect(problems({ format: 'number', unit: 'km', scale: 'log' })).toEqual([])
  expect(problems({ unit: 'km' })).toEqual(['A unit goes with the format number.'])
  expect(problems({ format: 'choice', options: options(2), scale: 'log' })).toEqual([
    'A log scale goes with the format number.',
  ])
  expect(questionSchema.parse({ text: 'Why?' })).toMatchObject({
    format: 'open',
    scale: 'linear',
    options: [],
  })
})

test('[Q6] a tolerance goes with numbers, a length and camps by intent with texts', () => {
  for (const tolerance of [5, 0.001, '10%', '2.5 %'])
    expect(problems({ format: 'number', tolerance })).toEqual([])
  for (const tolerance of [0, -1, '0%', '10', 'a lot', '10%%'])
    expect(problems({ format: 'number', tolerance })).not.toEqual([])
  for (const length of [20, 3_000]) expect(problems({ format: 'text', length, camps: 'intent' })).toEqual([])
  for (const length of [19, 3_001, 30.5]) expect(problems({ format: 'text', length })).toHaveLength(1)
  expect(problems({ tolerance: 5 })).toEqual(['A tolerance goes with the format number.'])
  expect(problems({ format: 'number', length: 30 })).toEqual(['A length in words goes with the format text.'])
  expect(problems({ camps: 'intent' })).toEqual(['Camps by intent go with the format text.'])
})
