/** Text, Markdown, code and CSV: the text itself. */
import { type Reader, Unreadable } from '../reader.ts'

export const plain: Reader = async bytes => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return [{ text }]
  } catch {}
  throw new Unreadable('it is not UTF-8 text')
}
