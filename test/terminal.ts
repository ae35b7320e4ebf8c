/** A terminal that remembers its screen, so that tests can read it. */
import { widthOf } from '../src/terminal/terminal.ts'

export interface TestTerminal {
  write(text: string): boolean
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  /** Changes the width and rewraps lines that don't fit. */
  resize(columns: number): void
  /** Each text that was written. */
  readonly writes: readonly string[]
  /** The screen and everything above it. */
  text(): string
  readonly cursorShown: boolean
}

export const testTerminal = (width = 80, rows = 24, isTTY = true): TestTerminal => {
  let columns = width
  let lines: string[] = ['']
  let row = 0
  let cursorShown = true
  const writes: string[] = []

  const control = (sequence: string): void => {
    const up = /^\x1b\[(\d+)A$/.exec(sequence)
    if (up) row = Math.max(0, row - Number(up[1]))
    else if (sequence === '\x1b[J') lines = lines.slice(0, row + 1).with(row, '')
    else if (sequence === '\x1b[?25l') cursorShown = false
    else if (sequence === '\x1b[?25h') cursorShown = true
    else if (sequence !== '\x1b[K' && !/^\x1b\[\d*m$/.test(sequence))
      throw new Error(`unknown ${JSON.stringify(sequence)}`)
  }
  const put = (part: string): void => {
    if (part === '\n') {
      row++
      lines[row] ??= ''
    } else if (part.startsWith('\x1b')) control(part)
    else if (part !== '\r') {
      if (widthOf(part) > columns) throw new Error(`a line is too wide: ${part}`)
      lines[row] = part
    }
  }

  const terminal: TestTerminal = {
    isTTY,
    get columns() {
      return columns
    },
    resize(to) {
      columns = to
      lines = lines.flatMap(line => (line === '' ? [''] : (line.match(new RegExp(`.{1,${to}}`, 'gu')) ?? [])))
      row = lines.length - 1
    },
    rows,
    writes,
    write(text) {
      writes.push(text)
      for (const [part] of text.matchAll(/\x1b\[\??\d*[A-Za-z]|\x1b.|[\r\n]|[^\x1b\r\n]+/g)) put(part)
      return true
    },
    text: () => lines.join('\n').trimEnd(),
    get cursorShown() {
      return cursorShown
    },
  }
  return terminal
}
