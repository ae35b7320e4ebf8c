import { describe, expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import { withheldLog } from '../core/letters.ts'
import { bookOpened } from '../count/acts.ts'
import { exporterNamed } from './index.ts'

const hostile =
  '<script>alert(1)</script> ![x](http://evil.example/a.png) [run](javascript:alert(1)) <img src=x onerror=alert(1)>'

const wrote = (text: string, more: object = {}): Said => ({
  ...{ headline: `Says ${text.slice(0, 20)}`, reasoning: 'It should.', confidence: null, text },
  ...more,
})

const book = (sealed = false) =>
  table({
    seats: 3,
    question: questionOf({ text: 'Write a letter.', format: 'text' }),
    book: sealed ? { sealed: true } : {},
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

test('[X262] the exports of a sealed book have no word of a letter; once it is open, they do', () => {
  const sealed = book(true)
  const open = sealed.and(bookOpened(sealed.session))
  for (const { write } of [html, markdown, exporterNamed('json'), exporterNamed('transcript')]) {
    expect(write(withheldLog(sealed.events))).not.toMatch(/mind the gap|Says Dear|evil/)
    expect(write(withheldLog(open.events))).toContain('mind the gap')
  }
  expect(html.write(withheldLog(sealed.events))).toContain('Sealed: only models can read these letters')
})
