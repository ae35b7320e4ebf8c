/** HTML: what a person would read of it, without scripts, styles and pictures. */

import type { DomNode } from 'html-to-text'
import type { CellValue } from 'read-excel-file/node'
import { mostParts, plain, type Reader, repacked, type TextPart, Unreadable } from './files.ts'

/** A style of an element itself; those of style sheets aren't known here. */
const unseen =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?:\.0*)?(?![\d.]))/i

/** What `aria-hidden` hides from screen readers, people still see; the rest of these they don't. */
const isHidden = ({ name = '', attribs = {} }: DomNode): boolean => {
  const { hidden, open, style } = attribs as Readonly<Record<string, string | undefined>>
  return (
    name === 'template' ||
    name === 'noscript' ||
    (name === 'dialog' && open === undefined) ||
    hidden !== undefined ||
    unseen.test(style ?? '')
  )
}

/** Takes away what nobody sees, or a page could serve the words of a quote without showing them. */
const withoutHidden = (root: DomNode): void => {
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    if (!node.children) continue
    node.children = node.children.filter(child => !isHidden(child))
    for (const child of node.children) left.push(child)
  }
}

export const html: Reader = async bytes => {
  const [{ text = '' } = {}] = await plain(bytes)
  const { convert } = await import('html-to-text')
  // In an element of our own, so that a page without a body is seen through as well.
  const readable = convert(`<seen-page>${text}</seen-page>`, {
    wordwrap: false,
    baseElements: { selectors: ['seen-page'] },
    formatters: {
      seen: (element, walk, builder) => {
        withoutHidden(element)
        walk(element.children, builder)
      },
    },
    limits: { maxDepth: 200, maxChildNodes: 100_000 },
    selectors: [
      { selector: 'seen-page', format: 'seen' },
      { selector: 'head', format: 'skip' },
      { selector: 'img', format: 'skip' },
      { selector: 'nav', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    ],
  })
  return [{ text: readable }]
}

// pdf: PDF: the text of each page. Nothing in the file is run.

const failureWords = (error: unknown): string => {
  const { name = '', message = '' } = error instanceof Error ? error : {}
  if (name === 'PasswordException') return 'it is encrypted: save a copy without a password'
  return `it is not a PDF that can be read (${message.slice(0, 200) || 'broken'})`
}

export const pdf: Reader = async bytes => {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: unknown) => {
    throw new Unreadable(failureWords(error))
  })
  if (document.numPages > mostParts)
    throw new Unreadable(
      `it has ${document.numPages} pages, and at most ${mostParts} are read: attach a part of it`,
    )
  const { extractText } = await import('unpdf')
  const { text } = await extractText(document, { mergePages: false }).catch((error: unknown) => {
    throw new Unreadable(failureWords(error))
  })
  if (text.every(page => page.trim() === ''))
    throw new Unreadable('it has no text, only pictures of pages: attach a copy with text')
  return text.map((page, index) => ({ label: `p. ${index + 1}`, text: page }))
}

// sheet: Excel: the values of each sheet, a row a line. Formulas are not computed: a cell has the value that was saved.

const cellText = (cell: CellValue | null): string => {
  if (cell === null) return ''
  const value: unknown = cell
  return value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value)
}

/** A row that ends in empty cells ends at its last full one. */
const rowText = (row: readonly (CellValue | null)[]): string => row.map(cellText).join('\t').trimEnd()

export const sheet: Reader = async bytes => {
  const buffer = Buffer.from(repacked(bytes, 'xl/workbook.xml'))
  const { default: readSheets } = await import('read-excel-file/node')
  try {
    const sheets = await readSheets(buffer)
    if (sheets.length > mostParts) throw new Unreadable(`it has more than ${mostParts} sheets`)
    return sheets.map(({ sheet: label, data }): TextPart => ({ label, text: data.map(rowText).join('\n') }))
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(
      `it is not an Excel file that can be read (${(error as Error).message.slice(0, 200)})`,
    )
  }
}

// word: Word: the text of its paragraphs. Macros, links to other files and pictures are left out.

export const word: Reader = async bytes => {
  const buffer = Buffer.from(repacked(bytes, 'word/document.xml'))
  const { default: mammoth } = await import('mammoth')
  try {
    const { value } = await mammoth.extractRawText({ buffer })
    // It ends each paragraph with two line breaks: one is enough to cite a line.
    return [{ text: value.replaceAll('\n\n', '\n') }]
  } catch (error) {
    throw new Unreadable(`it is not a Word file that can be read (${(error as Error).message.slice(0, 200)})`)
  }
}
