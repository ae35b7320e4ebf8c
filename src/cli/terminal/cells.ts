/** Text on a terminal: what is safe to print, how many cells it fills, and how it is cut and wrapped. */
import { stripVTControlCharacters } from 'node:util'
import { eastAsianWidth } from 'get-east-asian-width'

/** Control characters, and marks that change the direction of text: with them a model could forge a screen. */
const unsafe = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Makes somebody else's text safe to print: no escape sequence or control character in it reaches the terminal. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'))
    .replaceAll('\t', '  ')
    .replace(unsafe, '')

/** A document as it is for a file or a pipe, and safe to print for a terminal. */
export const printable = (text: string, output: { readonly isTTY?: boolean }): string =>
  output.isTTY ? clean(text) : text

export const oneLine = (text: string): string =>
  clean(text.replace(/[\r\t]/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

let segmenter: Intl.Segmenter | undefined
const graphemes = (text: string): string[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), part => part.segment)
}

/** Flags and signs that a variation selector turns into pictures: the width of their letters says nothing. */
const picture = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const isWide = (character: string): boolean => eastAsianWidth(character.codePointAt(0)!) === 2

const cellsOf = (grapheme: string): number => {
  if (picture.test(grapheme) || Array.from(grapheme).some(isWide)) return 2
  return invisible.test(grapheme) ? 0 : 1
}

/** The cells that a text fills. Colours fill none. */
export const widthOf = (text: string): number => {
  const bare = text.includes('\x1b') ? stripVTControlCharacters(text) : text
  if (/^[\x20-\x7e]*$/.test(bare)) return bare.length
  return graphemes(bare).reduce((sum, grapheme) => sum + cellsOf(grapheme), 0)
}

/** The longest start of a text that fits, and the rest. */
const splitAt = (text: string, width: number): [string, string] => {
  let used = 0
  let taken = ''
  for (const grapheme of graphemes(text)) {
    used += cellsOf(grapheme)
    if (used > width) break
    taken += grapheme
  }
  return [taken, text.slice(taken.length)]
}

/** Plain text in at most so many cells, with an ellipsis if something is cut off. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${splitAt(text, width - 1)[0].trimEnd()}…`
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Words. A script without spaces may break after any character. */
const wordsOf = (line: string): string[] => line.match(/[^ \u3041-\ua4cf\uac00-\ud7a3]+ *| +|[\s\S]/gu) ?? []

const wrapLine = (line: string, width: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of wordsOf(line)) {
    if (current !== '' && widthOf(current) + widthOf(word.trimEnd()) > width) {
      lines.push(current.trimEnd())
      current = ''
    }
    let rest = current === '' && lines.length > 0 ? word.trimStart() : word
    while (widthOf(rest.trimEnd()) > width) {
      const [taken, left] = splitAt(rest, Math.max(2, width))
      lines.push(taken)
      rest = left
    }
    current += rest
  }
  return [...lines, current.trimEnd()]
}

/** Plain text in lines of at most so many cells. Its own line breaks stay. */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap(line => wrapLine(line, Math.max(2, width)))
