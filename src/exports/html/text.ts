/** Text of people and models as HTML: Markdown is rendered, everything that could act is shown as text. */
import { Marked, type Tokens } from 'marked'

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

/** An image would be fetched from its server when the file is opened, so only its description is shown. */
const imageText = ({ text }: Tokens.Image): string => `[${escaped(text || 'image')}]`

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ raw }) => escaped(raw),
    image: imageText,
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      const address = safeAddress(href)
      if (address === undefined) return words
      return `<a href="${escaped(address)}" rel="noopener noreferrer nofollow">${words}</a>`
    },
    /** A text's own headings would break the order of the page's. */
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>\n`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** Nesting without end overflows the renderer's stack; such a text is shown as it stands. */
const rendered = (text: string): string => {
  try {
    return marked.parse(text) as string
  } catch {
    return plainText('p', text, 'words')
  }
}

/** A long text. `dir="auto"`, since it may be in any script. */
export const richText = (text: string, language?: string | null): string => {
  const lang = language && /^[a-z]{2,3}$/i.test(language) ? ` lang="${language}"` : ''
  return `<div class="text" dir="auto"${lang}>${rendered(text)}</div>`
}

/** A short text, or one that is to keep its line breaks as they are. */
export const plainText = (tag: string, text: string, className = ''): string =>
  `<${tag}${className && ` class="${className}"`} dir="auto">${escaped(text)}</${tag}>`
