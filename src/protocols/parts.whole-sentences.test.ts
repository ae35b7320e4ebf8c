import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeSentences } from './parts.ts'

const table = '| year | cost |\n|---|---|\n| 1 | 0.35 |\n| 2 | 0.34 |'

test('[P71] a text ends where a sentence ends', () => {
  const text = 'It costs 0.35 a day. That is 127.75 a year! Is it worth that? It might be.'
  expect(wholeSentences(text, text.length)).toBe(text)
  expect(wholeSentences(text, 60)).toBe('It costs 0.35 a day. That is 127.75 a year!')
  expect(wholeSentences(text, 30)).toBe('It costs 0.35 a day.')
  expect(wholeSentences('1. One.\n2. Two is much longer than one', 20)).toBe('1. One.')
  expect(wholeSentences('これは一つ目です。これは二つ目です。', 12)).toBe('これは一つ目です。')
})

test('[P71] a Markdown table is kept or left out as a whole, and what follows it may still fit', () => {
  const text = `The figures:\n\n${table}\n\nSo the second year is cheaper. ${'More. '.repeat(20)}`
  expect(wholeSentences(text, 120)).toContain(table)
  const without = wholeSentences(text, 46)
  expect(without).toBe('The figures:\n\nSo the second year is cheaper.')
  expect(wholeSentences(`Look:\n${table}\nCheap.`, 40)).toBe('Look:\nCheap.')
})

test('[P71] a sentence without an end is cut between words, and nothing is longer than allowed', () => {
  expect(wholeSentences('one two three four five', 12)).toBe('one two…')
  fc.assert(
    fc.property(
      fc.string({ maxLength: 400, unit: 'grapheme' }),
      fc.integer({ min: 20, max: 200 }),
      (text, most) => {
        expect(wholeSentences(text, most).length).toBeLessThanOrEqual(most)
      },
    ),
  )
})
