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

  test('[U7] a link leads to the web or to mail, in a window that knows nothing of this one', () => {
    expect(drawn('[site](https://example.com/a?b=1&c=2)')).toContain('rel="noopener noreferrer nofollow"')
    expect(drawn('<mailto:a@example.com>')).toContain('href="mailto:a@example.com"')
  })
})
