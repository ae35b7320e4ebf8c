import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const drawn = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }))

describe('Markdown of models', () => {
  test('[U7] is drawn as text, lists, tables and code', () => {
    const markup = drawn(
      '# Title\n\n**Bold** and *slanted*\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n\n```js\nx < 1\n```',
    )
    expect(markup).toContain('<strong>Bold</strong>')
    expect(markup).toContain('<li>one</li>')
    expect(markup).toContain('<td>1</td>')
    expect(markup).toContain('x &lt; 1')
    expect(markup).not.toContain('<h1')
  })

  test('[U7] is drawn as plain paragraphs if it is so long that a parser could freeze the page', () => {
    const markup = drawn(`**first**\n\n${'[x]('.repeat(20_000)}`)
    expect(markup).toContain('<p>**first**</p>')
    expect(markup).not.toContain('<strong>')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[press](javascript:alert(1))',
    '[press](data:text/html,x)',
    '![seen](https://example.com/pixel.png)',
    '<a href="https://example.com" onclick="x()">x</a>',
    '[a]: javascript:alert(1)\n\n[a]',
    '<iframe src="https://example.com"></iframe>',
    `${'> '.repeat(3_000)}deep`,
    '[x]('.repeat(2_000),
  ])('[U7] nothing in %s runs or is fetched', text => {
    const markup = drawn(text)
    expect(markup).not.toMatch(/<(script|img|iframe|style|link|object|embed|svg)/i)
    expect(markup).not.toMatch(/<[^>]+\son\w+=/i)
    expect(markup).not.toMatch(/(href|src)="(?!https?:|mailto:)/i)
  })

  test.each([
    ['## Why', '<p><strong>Why</strong></p>'],
    ['1 ~~one~~  \ntwo', '<p>1 <del>one</del><br/>two</p>'],
    ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
    ['- [x] done\n- [ ] open\n  - inner', '<li>☑ done</li><li>☐ open<ul><li>inner</li></ul></li>'],
    ['> said\n\n---', '<blockquote><p>said</p></blockquote><hr/>'],
    ['![seen *here*](https://example.com/pixel.png) ![](x)', '<p>[seen *here*] ![](x)</p>'],
    ['`&lt;` &lt; &#65; \\*not\\*', '<p><code>&amp;lt;</code> &lt; A *not*</p>'],
    ['<b>loud</b>\n\n<div>\n\nx', '<p>&lt;b&gt;loud&lt;/b&gt;</p><p>&lt;div&gt;</p><p>x</p>'],
    ['    x < 1', '<pre tabindex="0"><code>x &lt; 1</code></pre>'],
    ['[press](javascript:alert(1))', '<p>[press](javascript:alert(1))</p>'],
    ['[*up*](../admin)', '<p>[<em>up</em>](../admin)</p>'],
  ])('[U7] %j is drawn with elements that its tokens name, and the rest as text', (text, markup) => {
    expect(drawn(text)).toContain(markup)
  })

  test('[U7] text keeps all its words, however it is nested, and no text stops the page', () => {
    const word = fc.integer({ min: 1_000, max: 9_999 }).map(number => `w${number}`)
    const sign = fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '~~',
        '`',
        '```\n',
        '> ',
        '- ',
        '  ',
        '1. ',
        '# ',
        '|',
        '|-|-|\n',
        '\n',
        '\n\n',
        '\r',
      ],
      ...['[', '](', ')', '![', '<', '<a>', '</', '&', '&#0;', '\\', '\u0000', 'https://', '---\n', '\t'],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, sign), { maxLength: 200 }), parts => {
        const text = parts.join('')
        const markup = drawn(text)
        expect(markup.replace(/<\/?[a-z][^<>]*>/g, '').match(/<|>/)).toBeNull()
        // An address of an image isn't drawn, and neither is the language of code, or a cell that a table has no column for.
        if (/!\[|`{3}|~{3}|\|/.test(text)) return
        const read = markup.replaceAll(/ href="[^"]*"/g, ' $& ')
        for (const one of text.match(/w\d{4}/g) ?? []) expect(read).toContain(one)
      }),
      { numRuns: 500 },
    )
    for (const sign of ['> ', '- ', '**', '[', '*a **b '])
      expect(drawn(`${sign.repeat(1_500)}deep`).includes('deep'), sign).toBe(true)
  })

  test('[U7] a link leads to the web or to mail, in a window that knows nothing of this one', () => {
    expect(drawn('[site](https://example.com/a?b=1&c=2)')).toContain('rel="noopener noreferrer nofollow"')
    expect(drawn('<mailto:a@example.com>')).toContain('href="mailto:a@example.com"')
  })
})
