/** HTML: what a person would read of it, without scripts, styles and pictures. */
import type { Reader } from '../reader.ts'
import { plain } from './plain.ts'

export const html: Reader = async bytes => {
  const [{ text = '' } = {}] = await plain(bytes)
  const { convert } = await import('html-to-text')
  const readable = convert(text, {
    wordwrap: false,
    limits: { maxDepth: 200, maxChildNodes: 100_000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'nav', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    ],
  })
  return [{ text: readable }]
}
