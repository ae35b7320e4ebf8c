/**
 * Markdown of models as React elements. Text never becomes markup: HTML is shown as it stands, an image by its
 * description (loading it would inform a stranger's server), and a link leads to http, https or mailto only.
 */

import { lexer, type Token, type Tokens } from 'marked'
import { memo, type ReactNode, useMemo } from 'react'
import { directionOf } from './controls.tsx'

const schemes = ['http:', 'https:', 'mailto:']
/** Deeper nesting is hostile or broken, and would overflow the stack. */
const deepest = 12

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')

const safeAddress = (href: string): string | undefined => {
  const url = URL.parse(href)
  return url && schemes.includes(url.protocol) ? url.href : undefined
}

const Link = ({ token, children }: { token: Tokens.Link; children: ReactNode }) => {
  const address = safeAddress(token.href)
  if (address === undefined) return children
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const Table = ({ token, depth }: { token: Tokens.Table; depth: number }) => {
  const row = (cells: readonly Tokens.TableCell[], Cell: 'th' | 'td') => (
    <tr>
      {cells.map((cell, index) => (
        <Cell key={index}>{views(cell.tokens, depth)}</Cell>
      ))}
    </tr>
  )
  return (
    <table>
      <thead>{row(token.header, 'th')}</thead>
      <tbody>
        {token.rows.map((cells, index) => (
          <Row key={index}>{row(cells, 'td')}</Row>
        ))}
      </tbody>
    </table>
  )
}
const Row = ({ children }: { children: ReactNode }) => children

const List = ({ token, depth }: { token: Tokens.List; depth: number }) => {
  const Tag = token.ordered ? 'ol' : 'ul'
  return (
    <Tag start={token.ordered && token.start !== '' ? token.start : undefined}>
      {token.items.map((item, index) => (
        <li key={index}>
          {item.task && (item.checked ? '☑ ' : '☐ ')}
          {views(item.tokens, depth)}
        </li>
      ))}
    </Tag>
  )
}

const view = (token: Token, depth: number): ReactNode => {
  const inner = (): ReactNode => views('tokens' in token ? (token.tokens ?? []) : [], depth + 1)
  if (depth > deepest) return token.raw
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'paragraph':
      return <p>{inner()}</p>
    // A text's own headings would break the order of the page's.
    case 'heading':
      return (
        <p>
          <strong>{inner()}</strong>
        </p>
      )
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'codespan':
      return <code>{decoded(token.text)}</code>
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'list':
      return <List token={token as Tokens.List} depth={depth + 1} />
    case 'table':
      return <Table token={token as Tokens.Table} depth={depth + 1} />
    case 'link':
      return <Link token={token as Tokens.Link}>{inner()}</Link>
    case 'image':
      return `[${token.text || 'image'}]`
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? inner() : decoded(token.text)
    default:
      return token.raw
  }
}

const views = (tokens: readonly Token[], depth: number): ReactNode[] =>
  tokens.map((token, index) => <Piece key={index} token={token} depth={depth} />)

const Piece = ({ token, depth }: { token: Token; depth: number }) => view(token, depth)

/** While a text streams, only its last block is drawn again. */
const Block = memo(
  ({ token }: { token: Token }) => view(token, 0),
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
)

/** The parser's time can grow with the square of a text, and would freeze the page. No usual answer is longer. */
const longestMarkdown = 10_000

/** Paragraphs as they are written, without a parser. */
const plainBlocks = (text: string): readonly Token[] =>
  text.split('\n\n').map(paragraph => ({
    type: 'paragraph',
    raw: paragraph,
    text: paragraph,
    tokens: [{ type: 'escape', raw: paragraph, text: paragraph }],
  }))

const blocksOf = (text: string): readonly Token[] => {
  if (text.length > longestMarkdown) return plainBlocks(text)
  try {
    return lexer(text)
  } catch {
    return [{ type: 'text', raw: text, text }]
  }
}

export const Markdown = ({ text, language }: { text: string; language?: string | null }) => {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="prose said" dir={directionOf(text)} lang={language ?? undefined}>
      {blocks.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  )
}
