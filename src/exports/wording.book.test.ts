import { describe, expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import { fold } from '../core/fold.ts'
import { exporterNamed, importText } from './index.ts'

const hostile =
  '<script>alert(1)</script> ![x](http://evil.example/a.png) [run](javascript:alert(1)) <img src=x onerror=alert(1)>'

const wrote = (text: string, more: object = {}): Said => ({
  ...{ headline: `Says ${text.slice(0, 20)}`, reasoning: 'It should.', confidence: null, text },
  ...more,
})

const book = () =>
  table({
    seats: 3,
    question: questionOf({ text: 'Write a letter.', format: 'text' }),
    book: {},
  })
    .round(0, [wrote('Dear heir, mind the gap.'), wrote(`Hello ${hostile}`), silent()])
    .and(
      {
        type: 'report-written',
        by: 'moderator',
        report: { answer: 'Both mind the gap.', summary: '- GLM 4.7: It is short. “mind the gap”' },
      },
      { type: 'session-finished', outcome: 'verdict' },
    )

const html = exporterNamed('html')
const markdown = exporterNamed('markdown')

describe('a book as a page', () => {
  test('[X260] has contents, letters in order and the common thread, each letter with its place', () => {
    const page = html.write(book().events)
    expect(page).toContain('<h1>Letters of Jan 2, 2026</h1>')
    expect(page).toContain('2 letters by GLM 4.7 and Gemini 3.5 Flash')
    expect(page).toContain('No letter came from Grok 4.20.')
    expect(page.match(/<article id="letter-\d"/g)).toHaveLength(2)
    expect(page).toContain('<a href="#letter-2"><span class="from"')
    expect(page).toContain('Both mind the gap.')
    expect(page.indexOf('id="contents"')).toBeLessThan(page.indexOf('<article'))
    expect(page).toMatch(/article, section \{ break-before: page \}/)
  })

  test('[X260] runs nothing, loads nothing and shows hostile text as text', () => {
    const page = html.write(book().events)
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<img|<[^>]*(?:\bsrc=|javascript:)/)
    expect(page).toContain('&lt;script&gt;')
  })
})

test('[X261] a book as Markdown has the same parts, and its texts stay quotations', () => {
  const text = markdown.write(book().events)
  expect(text).toContain('## Reading order')
  expect(text).toContain('## 1. GLM 4.7\n\n> Dear heir, mind the gap.')
  expect(text).toContain('## The common thread\n\n> Both mind the gap.')
  expect(text).not.toMatch(/(?<!\\)<script|!\[x\]/)
})

test('[S262] a file of a book that was sealed, and later opened, is read as a book', () => {
  const document = JSON.parse(exporterNamed('json').write(book().events))
  const [first, ...rest] = document.events
  const opening = { type: 'book-opened', position: document.events.length, at: '2026-01-03T00:00:00.000Z' }
  const stored = { ...document, events: [{ ...first, book: { sealed: true } }, ...rest, opening] }
  const read = importText(JSON.stringify(stored), { newId: () => 'new', clock: Date.now })
  expect(fold(read)).toMatchObject({ book: {}, outcome: 'verdict' })
  expect(fold(read).book).not.toHaveProperty('sealed')
  expect(read.map(({ position }) => position)).toEqual(read.map((_, index) => index))
  expect(markdown.write(read)).toContain('mind the gap')
})
