/**
 * Markdown of models as React elements. Text never becomes markup: HTML is shown as it stands, an image by its
 * description (loading it would inform a stranger's server), and a link leads to http, https or mailto only.
 */

import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, memo, type ReactNode, useMemo } from 'react'
import { guardedParser, safeAddress } from '../../exports/markdown-parser.ts'
import { directionOf } from './controls.tsx'

const parser = guardedParser(MarkdownIt)

/** Deeper nesting is hostile or broken, and would overflow the stack. A list inside a list is two levels deeper. */
const deepest = 24
const isTooDeep = ({ level, children }: Token): boolean => level > deepest || !!children?.some(isTooDeep)

/** A token with what stands inside of it. */
interface Piece {
  readonly token: Token
  readonly inner: readonly Piece[]
}

/** In the parser's row of tokens, one opens an element and a later one closes it. */
const piecesOf = (tokens: readonly Token[]): Piece[] => {
  const all: Piece[] = []
  const open = [all]
  for (const token of tokens) {
    if (token.nesting < 0) open.pop()
    else {
      const inner = piecesOf(token.children ?? [])
      open.at(-1)!.push({ token, inner })
      if (token.nesting > 0) open.push(inner)
    }
  }
  return all
}

const elements: Readonly<Record<string, string>> = {
  ...{ paragraph_open: 'p', blockquote_open: 'blockquote', bullet_list_open: 'ul', list_item_open: 'li' },
  ...{ table_open: 'table', thead_open: 'thead', tbody_open: 'tbody', tr_open: 'tr' },
  ...{ th_open: 'th', td_open: 'td', strong_open: 'strong', em_open: 'em', s_open: 'del' },
}

const View = ({ token, inner }: Piece): ReactNode => {
  const children = inner.map((piece, index) => <View key={index} {...piece} />)
  switch (token.type) {
    case 'inline':
      return children
    // A text's own headings would break the order of the page's.
    case 'heading_open':
      return (
        <p>
          <strong>{children}</strong>
        </p>
      )
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    case 'link_open':
      return (
        <a
          href={safeAddress(String(token.attrGet('href')))}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {children}
        </a>
      )
    case 'image':
      return `[${token.content || 'image'}]`
    case 'fence':
    case 'code_block':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
        <pre tabIndex={0}>
          <code>{token.content.replace(/\n$/, '')}</code>
        </pre>
      )
    case 'code_inline':
      return <code>{token.content}</code>
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    default: {
      const element = elements[token.type]
      if (element === undefined) return token.content
      return token.hidden ? children : createElement(element, null, children)
    }
  }
}

/** A block of the text. Without a piece it is a paragraph as it was written. */
interface Block {
  readonly source: string
  readonly piece?: Piece
}

/** While a text streams, only its last block is drawn again. */
const BlockView = memo(
  ({ source, piece }: Block) => (piece ? <View {...piece} /> : <p>{source}</p>),
  (before, after) => before.source === after.source && before.piece?.token.type === after.piece?.token.type,
)

/** A long text may take a parser so long that the page freezes. No usual answer is longer. */
const longestMarkdown = 10_000

const blocksOf = (text: string): readonly Block[] => {
  const tokens = text.length > longestMarkdown ? undefined : parser.parse(text, {})
  if (!tokens || tokens.some(isTooDeep)) return text.split('\n\n').map(source => ({ source }))
  const lines = text.split(/\r\n?|\n/)
  return piecesOf(tokens).map(piece => ({
    piece,
    source: lines.slice(...(piece.token.map ?? [])).join('\n'),
  }))
}

export const Markdown = ({ text, language }: { text: string; language?: string | null }) => {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="prose said" dir={directionOf(text)} lang={language ?? undefined}>
      {blocks.map((block, index) => (
        <BlockView key={index} {...block} />
      ))}
    </div>
  )
}
