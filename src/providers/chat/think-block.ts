/** Keeps a leading `<think>…</think>` block, as some open models write it, apart from the answer. */
import type { TextWriter, WriteText } from '../http/redact.ts'

const opening = '<think>'
const closing = '</think>'

/** How many characters at the end of the text may be the beginning of the closing tag. */
const openEnd = (text: string): number => {
  for (let length = Math.min(text.length, closing.length - 1); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) return length
  }
  return 0
}

/** Tags may be cut anywhere between two chunks, so what could be one is held until that is known. */
export const thinkBlock = (write: WriteText): TextWriter => {
  let place: 'before' | 'inside' | 'gap' | 'after' = 'before'
  let held = ''
  /** The blank lines between the block and the answer belong to neither. */
  const gap = (text: string): void => {
    const start = text.trimStart()
    if (start === '') return
    place = 'after'
    write('text', start)
  }
  const inside = (): void => {
    const end = held.indexOf(closing)
    const cut = end >= 0 ? end : held.length - openEnd(held)
    write('thinking', held.slice(0, cut))
    held = held.slice(cut)
    if (end < 0) return
    place = 'gap'
    gap(held.slice(closing.length))
    held = ''
  }
  return {
    write(type, text) {
      if (place === 'after' || type !== 'text') return write(type, text)
      if (place === 'gap') return gap(text)
      held += text
      if (place === 'inside') return inside()
      const start = held.trimStart()
      if (start.startsWith(opening)) {
        place = 'inside'
        held = start.slice(opening.length)
        inside()
      } else if (!opening.startsWith(start)) {
        place = 'after'
        write('text', held)
        held = ''
      }
    },
    flush() {
      if (held !== '') write(place === 'inside' ? 'thinking' : 'text', held)
      held = ''
    },
  }
}
