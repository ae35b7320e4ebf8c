/** Separates a leading `<think>…</think>` block, as some open models write it, from the answer. */
import type { TextWriter, WriteText } from '../http/redact.ts'

const opening = '<think>'
const closing = '</think>'

/** How many characters at the end of the text could be the start of the closing tag. */
const openEnd = (text: string): number => {
  for (let length = Math.min(text.length, closing.length - 1); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length
  }
  return 0
}

/** A tag may be split between two chunks, so text that could be the start of one is held back. */
export const thinkBlock = (write: WriteText): TextWriter => {
  let state: 'before' | 'inside' | 'gap' | 'after' = 'before'
  let held = ''
  /** White space before the first word. It is kept apart, or each piece of it would be read again and again. */
  let blank = ''
  /** Drops the blank lines between the block and the answer. */
  const gap = (text: string): void => {
    const start = text.trimStart()
    if (start === '') return
    state = 'after'
    write('text', start)
  }
  const inside = (): void => {
    const end = held.indexOf(closing)
    const cut = end >= 0 ? end : held.length - openEnd(held)
    write('thinking', held.slice(0, cut))
    held = held.slice(cut)
    if (end < 0) return
    state = 'gap'
    gap(held.slice(closing.length))
    held = ''
  }
  return {
    write(type, text) {
      if (state === 'after' || type !== 'text') return write(type, text)
      if (state === 'gap') return gap(text)
      if (state === 'before' && held === '') {
        held = text.trimStart()
        blank += text.slice(0, text.length - held.length)
      } else held += text
      if (state === 'inside') return inside()
      if (held.startsWith(opening)) {
        state = 'inside'
        held = held.slice(opening.length)
        inside()
      } else if (!opening.startsWith(held)) {
        state = 'after'
        write('text', blank + held)
        held = ''
      }
    },
    flush() {
      if (state === 'before' && blank + held !== '') write('text', blank + held)
      else if (held !== '') write('thinking', held)
      blank = ''
      held = ''
    },
  }
}
