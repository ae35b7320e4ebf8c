/** Comma-separated values by RFC 4180: quotes, doubled quotes, line ends inside quotes. */
import { UsageError } from '../core/errors.ts'

export interface Row {
  /** Where the row begins in the file, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

const plain = /[^",\r\n]*/y
const end = /,|\r\n|\n|\r|$/y

/** The match at exactly this place, or null. */
const matchAt = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place
  return pattern.exec(text)
}

/** The whole cell with its quotes. A regular expression would overflow its stack on a long one. */
const quotedAt = (text: string, place: number): string | undefined => {
  let close = text.indexOf('"', place + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  return close < 0 ? undefined : text.slice(place, close + 1)
}

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** Rows with their cells; empty lines are left out. */
export const rowsOf = (file: string): Row[] => {
  const text = file.replace(/^\ufeff/, '')
  const rows: Row[] = []
  let cells: string[] = []
  let [place, line, begins] = [0, 1, 1]
  while (place <= text.length) {
    const quoted = text[place] === '"'
    const cell = quoted ? quotedAt(text, place) : matchAt(plain, text, place)![0]
    const closed = cell === undefined ? null : matchAt(end, text, place + cell.length)
    if (cell === undefined || !closed)
      throw new UsageError(`Line ${line}: a quote isn't closed, or is closed too early.`)
    cells.push((quoted ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim())
    line += linesIn(cell)
    place += cell.length + closed[0].length
    if (closed[0] === ',') continue
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begins, cells })
    cells = []
    begins = ++line
    if (closed[0] === '') break
  }
  return rows
}
