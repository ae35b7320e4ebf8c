/** How views write: a width, colours, and the few shapes that all of them share. */
import { cut, oneLine, widthOf, wrap } from './cells.ts'
import type { Paint } from './paint.ts'

export interface Look {
  readonly columns: number
  readonly paint: Paint
}

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110

/** One cell stays free at the right: a line that fills its row wraps on some terminals. */
export const room = (look: Look): number => Math.max(20, Math.min(look.columns, widest) - 1)

/** "── Round 1 · open ──────────" */
export const rule = (title: string, look: Look): string => {
  const text = cut(oneLine(title), room(look) - 6)
  const rest = Math.max(2, room(look) - widthOf(text) - 4)
  return `${look.paint.faint('──')} ${look.paint.strong(text)} ${look.paint.faint('─'.repeat(rest))}`
}

/** Plain text wrapped behind an indent; `style` is put on each line after wrapping. */
export const paragraph = (
  text: string,
  indent: number,
  look: Look,
  style: (line: string) => string = line => line,
): string[] =>
  wrap(text, room(look) - indent).map(line => (line === '' ? '' : `${' '.repeat(indent)}${style(line)}`))

/** A label and a text that hangs behind it. */
export const hanging = (
  label: string,
  text: string,
  indent: number,
  look: Look,
  style: (label: string) => string = one => one,
): string[] => {
  const offset = indent + widthOf(label) + 1
  const [first = '', ...rest] = wrap(text, room(look) - offset)
  return [
    `${' '.repeat(indent)}${style(label)} ${first}`,
    ...rest.map(line => (line === '' ? '' : `${' '.repeat(offset)}${line}`)),
  ]
}
