/** Text of people and models as HTML: Markdown is rendered, everything that could act is shown as text. */
import { createRequire } from 'node:module'
import type MarkdownIt from 'markdown-it'
import type { RendererRule } from 'markdown-it'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character]!)

const linkSchemes = ['http:', 'https:', 'mailto:']

/** The address in its normal form; undefined for anything that is not a plain link. */
const safeAddress = (href: string): string | undefined => {
  const url = URL.parse(href)
  return url && linkSchemes.includes(url.protocol) ? url.href : undefined
}

/** A task of a list, with its box as a sign. */
const withBox = (text: string): string =>
  text.replace(/^\[([ xX])\] /, (_, mark: string) => (mark === ' ' ? '☐ ' : '☑ '))

const codeText: RendererRule = (tokens, index) =>
  `<pre tabindex="0"><code>${escaped(tokens[index]!.content)}</code></pre>\n`

const rules = {
  // An image would be fetched from its server when the file is opened, so only its description is shown.
  image: (tokens, index) => `[${escaped(tokens[index]!.content || 'image')}]`,
  link_open: (tokens, index) =>
    `<a href="${escaped(String(tokens[index]!.attrGet('href')))}" rel="noopener noreferrer nofollow">`,
  // A text's own headings would break the order of the page's.
  heading_open: () => '<p><strong>',
  heading_close: () => '</strong></p>\n',
  fence: codeText,
  code_block: codeText,
} satisfies Record<string, RendererRule>

type Parser = InstanceType<typeof MarkdownIt>

let parser: Parser | undefined

/**
 * The parser must be one whose time grows with the text and not with its square: models write what they like. It is
 * loaded when the first text is written, so that commands that write none start faster.
 */
const markdown = (): Parser => {
  if (parser) return parser
  const Markdown: typeof MarkdownIt = createRequire(import.meta.url)('markdown-it')
  parser = new Markdown({ html: false, linkify: true })
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  parser.validateLink = href => safeAddress(href) !== undefined
  parser.normalizeLink = href => safeAddress(href) ?? href
  parser.core.ruler.before('inline', 'boxes', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'inline' && tokens[index - 2]?.type === 'list_item_open')
        token.content = withBox(token.content)
    })
  })
  Object.assign(parser.renderer.rules, rules)
  return parser
}

/** A long text. `dir="auto"`, since it may be in any script. */
export const richText = (text: string, language?: string | null): string => {
  const lang = language && /^[a-z]{2,3}$/i.test(language) ? ` lang="${language}"` : ''
  return `<div class="text" dir="auto"${lang}>${markdown().render(text)}</div>`
}

/** A short text, or one that is to keep its line breaks as they are. */
export const plainText = (tag: string, text: string, className = ''): string =>
  `<${tag}${className && ` class="${className}"`} dir="auto">${escaped(text)}</${tag}>`
