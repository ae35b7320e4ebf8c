import { expect, test } from 'vitest'
import { excerptTexts, passagesOf } from './excerpts.ts'

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index} of the long report.`).join('\n')

const pages = [lines(80, 'Apple'), lines(80, 'Pear')]
const paged = {
  name: 'report.pdf',
  media: 'application/pdf',
  text: pages.join('\n\n'),
  places: [
    { label: 'p. 1', at: 0 },
    { label: 'p. 2', at: pages[0]!.length + 2 },
  ],
}

test('[EV53] passages are whole lines, stay within their page, and cover the text without overlap', () => {
  const passages = passagesOf([paged, { name: 'a.txt', text: lines(40, 'Plum') }])
  const [first, second] = [1, 2].map(exhibit => passages.filter(one => one.exhibit === exhibit))
  const texts = first!.map(({ from, to }) => paged.text.slice(from, to))
  expect(texts.join('').replace(/\s+/g, '')).toBe(paged.text.replace(/\s+/g, ''))
  expect(texts.every(text => /^(Apple|Pear) \d+ of/.test(text) && /report\.\s*$/.test(text))).toBe(true)
  expect(texts.some(text => text.includes('Apple') && text.includes('Pear'))).toBe(false)
  expect(Math.max(...texts.map(text => text.length))).toBeLessThanOrEqual(1_600)
  expect(second!.length).toBeGreaterThan(1)
})

test('[EV53] a line that is too long is cut after a sentence or a word, and never endlessly', () => {
  const whole = 'A sentence of some words. '.repeat(200).trim()
  for (const text of [whole, 'word '.repeat(2_000).trim(), 'x'.repeat(5_000), '字'.repeat(5_000)]) {
    const pieces = passagesOf([{ name: 'a', text }]).map(({ from, to }) => text.slice(from, to))
    expect(pieces.join('')).toBe(text)
    expect(Math.max(...pieces.map(one => one.length))).toBeLessThanOrEqual(1_600)
  }
  const sentences = passagesOf([{ name: 'a', text: whole }]).map(({ from, to }) =>
    whole.slice(from, to).trim(),
  )
  expect(sentences.every(one => one.endsWith('.'))).toBe(true)
  expect(passagesOf([{ name: 'a', text: '' }])).toEqual([])
})

test('[EV51] an excerpt has its page or sheet and the line in it', () => {
  const all = passagesOf([paged])
  const texts = excerptTexts([paged], { given: all })
  for (const { place, line, text } of texts) {
    const page = pages[place === 'p. 1' ? 0 : 1]!
    expect(text.split('\n')[0]).toBe(page.split('\n')[line - 1])
  }
  // In any order, and only some of them.
  expect(excerptTexts([paged], { given: [all[3]!, all[1]!] })).toEqual([texts[3], texts[1]])
  expect(excerptTexts([paged], { given: [{ exhibit: 9, from: 0, to: 5 }] })).toEqual([])
})
