/** Long texts are shortened at the ends of sentences, so that nobody is asked to check half of a calculation. */

/** Text behind this many times the limit isn't looked at: a seat that writes without end costs nothing. */
const farthest = 4

const isTable = (part: string): boolean => part.trimStart().startsWith('|')

/** Paragraphs and Markdown tables, with the line breaks that follow them. */
const partsOf = (text: string): string[] => {
  const parts: string[] = []
  let inTable = false
  for (const line of text.match(/[^\n]*\n+|[^\n]+$/g) ?? []) {
    const row = isTable(line)
    if (row && inTable) parts[parts.length - 1] += line
    else parts.push(line)
    inTable = row && !line.endsWith('\n\n')
  }
  return parts
}

/** The end of a sentence, or of a line. The number before an item of a list ends nothing. */
const ends = /(?<!(?:^|\n)\d{1,3})[.!?…]["'”’»)\]*_]{0,3}(?=\s)|[。！？]|\n/g

/** As many whole sentences of a paragraph as fit. Empty if not even one does. */
const sentencesOf = (paragraph: string, room: number): string => {
  let end = 0
  for (const found of paragraph.slice(0, room + 1).matchAll(ends)) {
    const after = found.index + found[0].length
    if (after <= room) end = after
  }
  return paragraph.slice(0, end)
}

/** A sentence longer than all the room is cut between two words: there is no better place. */
const wordsOf = (text: string, room: number): string =>
  `${text.slice(0, room - 1).replace(/\s+\S{0,80}$/, '')}…`

/**
 * The text up to a length. It ends where a sentence ends; a Markdown table is kept or left out as a whole, and what
 * follows a table that doesn't fit may still fit.
 */
export const wholeSentences = (text: string, longest: number): string => {
  const whole = text.trim()
  if (whole.length <= longest) return whole
  const parts = partsOf(whole.slice(0, longest * farthest))
  // The last one may itself be cut off, which a table never is.
  if (isTable(parts.at(-1) ?? '')) parts.pop()
  let kept = ''
  for (const part of parts) {
    const room = longest - kept.length
    if (part.trimEnd().length <= room) {
      kept += part
      continue
    }
    if (isTable(part)) continue
    kept += sentencesOf(part, room)
    break
  }
  return kept.trim() || wordsOf(whole, longest)
}
