import { expect, test } from 'vitest'
import type { DraftField } from '../core/event.ts'
import { type Draft, piecesOf, written } from '../core/session.ts'
import { draftState, draftWords, sentenceAt } from './words.ts'

const draft = (...pieces: [DraftField, string][]): Draft =>
  pieces.reduce<Draft | undefined>(
    (before, [field, text]) => written(before, { type: 'delta', round: 1, seat: 's1', field, text }),
    undefined,
  )!

test('[P80] a seat is seen at what it writes: thinking, weighing, reasoning, its text, then the headline', () => {
  const pieces: [DraftField, string][] = [
    ['thinking', 'Let me see. What did they say?'],
    ['points', '“It floods.” The map says so.\n“It is dear.” Nobody gave'],
    ['reasoning', 'The map is right. The price'],
    ['text', 'Dear reader,\nwe build'],
    ['headline', 'Build it. Now'],
  ]
  const seen = pieces.map((_, count) => draft(...pieces.slice(0, count + 1)))
  expect(seen.map(draftState)).toEqual(['thinking', 'weighing', 'writing', 'writing', 'writing'])
  expect(seen.map(draftWords)).toEqual(['', 'Nobody gave', 'The price', 'we build', 'Build it. Now'])
})

test('[P80] a late watcher gets every part of a draft, points and text included', () => {
  const known = draft(['points', '“a” b'], ['reasoning', 'c'], ['text', 'd'], ['headline', 'e'])
  const again = piecesOf('s1', known).reduce<Draft | undefined>(written, undefined)
  expect(again).toEqual(known)
})

test.each([
  ['', ''],
  ['One.', 'One.'],
  ['One. Two', 'Two'],
  ['It costs 3.5 million', 'It costs 3.5 million'],
  ['He said “no.” Then', 'Then'],
  ['- first\n- second', '- second'],
  ['雨が降る。道は', '道は'],
])('[P80] the sentence that is being written: %j', (text, sentence) => {
  expect(sentenceAt(text)).toBe(sentence)
})

test('[P80] a sentence without end is shown by its last words', () => {
  const shown = sentenceAt('word '.repeat(1_000))
  expect(shown).toMatch(/^… word/)
  expect(shown.length).toBeLessThan(170)
})
