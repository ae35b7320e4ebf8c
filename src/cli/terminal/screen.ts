/** The lower end of a terminal, redrawn in place; what is printed stays above it. */
import { widthOf } from './cells.ts'

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly writableNeedDrain?: boolean
}

export interface Screen {
  /** Lines that stay, above the frame or the one that takes its place. */
  print(lines: readonly string[], frame?: readonly string[]): void
  /** Replaces the frame. Skipped while the terminal cannot keep up: the next frame shows it all. */
  draw(lines: readonly string[]): void
  /** Removes the frame and shows the cursor again. */
  close(): void
}

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'
const eraseLine = '\x1b[K'
const eraseBelow = '\x1b[J'

export const screenOn = (output: Output): Screen => {
  let frame: readonly string[] = []
  let hidden = false

  /** Rows that the frame takes now: a narrower window has wrapped its lines meanwhile. */
  const height = (): number => {
    const columns = output.columns || 80
    return frame.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
  }
  const toTop = (): string => (frame.length > 0 ? `\r\x1b[${height()}A` : '\r')
  const text = (lines: readonly string[]): string => lines.map(line => `${line}${eraseLine}\n`).join('')
  const hide = (): string => {
    const sequence = hidden ? '' : hideCursor
    hidden = true
    return sequence
  }

  return {
    print(lines, next = frame) {
      output.write(`${hide()}${toTop()}${text(lines)}${text(next)}${eraseBelow}`)
      frame = next
    },
    draw(lines) {
      if (output.writableNeedDrain) return
      output.write(`${hide()}${toTop()}${text(lines)}${eraseBelow}`)
      frame = lines
    },
    close() {
      if (hidden) output.write(`${toTop()}${eraseBelow}${showCursor}`)
      frame = []
      hidden = false
    },
  }
}
