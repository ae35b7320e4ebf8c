/**
 * The parser of Markdown, for the pages and the exports. Text never becomes markup: HTML stays text, and a link leads to
 * http, https or mailto only. Its time must grow with the text and not with its square: models write what they like.
 */

import type MarkdownIt from 'markdown-it'

export type MarkdownParser = InstanceType<typeof MarkdownIt>

const linkSchemes = ['http:', 'https:', 'mailto:']

/** The address in its normal form; undefined for anything that is not a plain link. */
export const safeAddress = (href: string): string | undefined => {
  const url = URL.parse(href)
  return url && linkSchemes.includes(url.protocol) ? url.href : undefined
}

/** A task of a list, with its box as a sign. */
const withBox = (text: string): string =>
  text.replace(/^\[([ xX])\] /, (_, mark: string) => (mark === ' ' ? '☐ ' : '☑ '))

/** The package is handed in, since the exports load it late and the pages in another build. */
export const guardedParser = (Markdown: typeof MarkdownIt): MarkdownParser => {
  const parser = new Markdown({ html: false, linkify: true })
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  parser.validateLink = href => safeAddress(href) !== undefined
  parser.normalizeLink = href => safeAddress(href) ?? href
  parser.core.ruler.before('inline', 'boxes', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'inline' && tokens[index - 2]?.type === 'list_item_open')
        token.content = withBox(token.content)
    })
  })
  return parser
}
