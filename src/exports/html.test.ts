import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answered, anySession, example, logOf, opening } from '../../test/contracts/exports-contract.ts'
import { weighedLog } from '../../test/weighed-session.ts'
import { html } from './html.ts'

const { write } = html()

/** Everything between angle brackets: all other `<` must have been escaped. */
const tagsOf = (page: string): string[] => {
  const [, body = ''] = page.split('</style>')
  return [...body.matchAll(/<[^>]*>/g)].map(match => match[0])
}

/** Every tag that the page may have, with every attribute that it may carry. */
const allowed =
  /^<(?:\/?(?:head|body|html|header|footer|main|section|article|div|p|h1|h2|h3|span|strong|em|del|code|pre|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td|details|summary|figure)|a)(?: (?:class|id|dir|lang|scope|role|start|align|tabindex|aria-label|aria-labelledby|rel)="[^"<>]*"| style="--share: \d+%"| open| href="(?:https?:\/\/|mailto:)[^"<>]*")*\/?>$|^<\/a>$/

/** Tags of the drawings: they refer to nothing but patterns and markers of the same file. */
const drawn =
  /^<\/?(?:svg|defs|pattern|marker|g|rect|circle|path|text|title)(?: (?:id|class|role|aria-label|aria-hidden|viewBox|width|height|x|y|cx|cy|r|rx|d|transform|opacity|orient|refX|refY|markerWidth|markerHeight|patternUnits|text-anchor|font-size|font-weight|stroke-width|stroke-opacity|stroke-linecap|stroke-dasharray)="[^"<>]*"| (?:fill|stroke|marker-end)="(?:none|var\(--[a-z0-9-]+\)|url\(#[a-z0-9-]+\))")*>$/
const isAllowed = (tag: string): boolean => allowed.test(tag) || drawn.test(tag)

const answering = (reasoning: string): string =>
  write(
    logOf([
      opening(),
      { type: 'round-opened', round: 0, sealed: true },
      answered(0, 's1', { headline: 'Yes.', reasoning }),
    ]),
  )

describe('the web page', () => {
  it('[X21] is one static file: no script, nothing to load, a strict policy, light and dark, for print', () => {
    const page = write(example)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`)
    expect(page).toContain('prefers-color-scheme: dark')
    expect(page).toContain('@media print')
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\((?!#)/)
  })

  it('[X22] keeps the order of a transcript, then the details, under headings in order', () => {
    const page = write(example)
    const headings = [...page.matchAll(/<h([1-6])[^>]*>(.*?)<\/h\1>/g)].map(
      ([, depth, text]) => `${depth} ${text}`,
    )
    const letter = (alias: string): string => `<span class="letter">${alias}</span>`
    const mark = ' <span class="mark">changed its mind</span>'
    expect(headings).toEqual([
      '1 AI Roundtable Open Debate · 4 models',
      '2 Question',
      '2 Answer',
      '2 Model responses',
      `3 ${letter('A')}Ada 2`,
      `3 ${letter('B')}Bell 7B${mark}`,
      `3 ${letter('C')}Curie Large`,
      `3 ${letter('D')}Darwin`,
      '2 Final summary',
      '2 Tally, sealed → final',
      '2 Who moved, and why',
      '2 Who won others over',
      '2 Other rounds',
      `3 ${letter('A')}Ada 2`,
      `3 ${letter('B')}Bell 7B`,
      `3 ${letter('C')}Curie Large`,
      `3 ${letter('D')}Darwin`,
      '2 Tokens and cost',
    ])
    for (const part of ['<header>', '<main>', '<footer>', 'dir="auto" lang="en"', 'Boom &lt;b&gt;']) {
      expect(page).toContain(part)
    }
  })

  it('[X30] shows readings, points with their quotes, and what became of each answer', () => {
    const page = write(weighedLog)
    for (const part of [
      'Reads the question as: “Sandwich” as the law uses the word.',
      'Says it kept its answer, conceding a point (a peer&#39;s point), crediting Claude Sonnet 4.6; found in its answer:</p><blockquote>',
      'Says it kept its answer; its answer is in another camp.',
      '<details class="points" open><summary>On the points of others</summary>',
      '<strong>does not hold</strong>: Mistral Medium 3.1, not found in its answer<blockquote><p class="words" dir="auto">a hot dog is a taco</p></blockquote><p class="words" dir="auto">A taco is folded.</p>',
    ]) {
      expect(page).toContain(part)
    }
  })

  it('[X33] carries the table and the flow as drawings, and the letters of the seats', () => {
    const page = write(example)
    expect(page).toMatch(/<figure><svg [^>]*aria-label="The table: /)
    expect(page).toMatch(/<figure><svg [^>]*aria-label="Position flow\. /)
    for (const [, id] of page.matchAll(/url\(#([a-z0-9-]+)\)/g)) expect(page).toContain(`id="${id}"`)
    for (const [, name] of page.matchAll(/var\((--[a-z0-9-]+)\)/g)) expect(page).toContain(`${name}: `)
  })

  it('[X76] the compact page leaves out what each seat wrote, and says so', () => {
    const compact = html().write(example, { compact: true })
    expect(compact).toContain('What each seat wrote is left out here.')
    expect(compact).toContain('Tally')
    expect(compact).not.toContain('Model responses')
    expect(compact).not.toContain('Sealed round')
    expect(write(example)).not.toContain('left out here')
  })

  it('[X23] renders Markdown of models, with links to the web only', () => {
    const page = answering(
      '# Big\n\nSee **this** [page](https://example.org/?a=1&b=2) and `<b>`.\n\n- one\n- two',
    )
    expect(page).toContain('<p><strong>Big</strong></p>')
    expect(page).toContain(
      '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow">page</a> and <code>&lt;b&gt;</code>',
    )
    expect(page).toContain('<li>two</li>')
  })

  it.each([
    '<script>alert(1)</script>',
    'text <img src=x onerror=alert(1)> text',
    '<svg/onload=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt&#58;alert(1))',
    '[click](data:text/html;base64,PHNjcmlwdD4=)',
    '[click](//evil.example/x)',
    '<javascript:alert(1)>',
    '![pixel](https://tracker.example/p.png "title")',
    '[![pixel](https://tracker.example/p.png)](https://example.org)',
    '[x](https://example.org "\\" onmouseover=alert(1)")',
    '[x](https://example.org/"onmouseover="alert(1))',
    '```"><script>alert(1)</script>\ncode\n```',
    '| a |\n| - |\n| <iframe src="https://evil.example"></iframe> |',
    '<style>@import "https://evil.example/x.css"</style>',
    '- [x] <input autofocus onfocus=alert(1)>',
    '</main></body><script>alert(1)</script>',
    `${'>'.repeat(20_000)} deep <script>alert(1)</script>`,
  ])('[X24] nothing of %.60j can act', reasoning => {
    for (const tag of tagsOf(answering(reasoning))) expect([tag, isAllowed(tag)]).toEqual([tag, true])
  })

  it('[X24] nothing in any text of any session can act', () => {
    fc.assert(
      fc.property(anySession, events => {
        for (const tag of tagsOf(write(events))) expect([tag, isAllowed(tag)]).toEqual([tag, true])
      }),
      { numRuns: 200 },
    )
  })

  it('[X473] no mark that turns the direction of text is left', () => {
    const page = answering('**a\u202eb**\n\n`c\u2067d`\n\n[e\u200ff](https://example.org/\u202eg)')
    expect(page).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
    expect(page).toContain('<strong>ab</strong>')
  })
})
