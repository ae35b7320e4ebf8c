/** Where quoted words are in a text, as offsets in the text itself. */
import { flattened } from './flattened.ts'
import { trimmed } from './trimmed.ts'

export interface FoundPassage {
  readonly from: number
  readonly to: number
}

/** The lines that hold the words, from the first to the last. Undefined if they aren't there. */
export const passageOf = (text: string, quote: string): FoundPassage | undefined => {
  const words = trimmed(flattened(quote), "'. ")
  const lines = text.split('\n')
  const flat = lines.map(flattened)
  const at =
    words === ''
      ? -1
      : flat
          .filter(line => line !== '')
          .join(' ')
          .indexOf(words)
  if (at < 0) return undefined
  let [place, offset, from] = [0, 0, -1]
  for (const [index, line] of lines.entries()) {
    const length = flat[index]!.length
    if (length > 0 && from < 0 && place + length > at) from = offset
    if (length > 0) place += length + 1
    offset += line.length + 1
    if (from >= 0 && place >= at + words.length) return { from, to: offset - 1 }
  }
  return from < 0 ? undefined : { from, to: text.length }
}
