/** Breaks text into lines of a picture, which has no layout of its own. */

/** Widths as shares of the type's size, rather too wide than too narrow. */
const widthOf = (character: string): number => {
  if (/[iljtfrI.,:;'’!|()[\]]/.test(character)) return 0.36
  if (/[mwMW@%—…]/.test(character)) return 0.96
  if (/[A-ZÀ-ÖØ-Þ\p{Lu}]/u.test(character)) return 0.72
  return character === ' ' ? 0.26 : 0.56
}

export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0) * size

/** A word that is wider than a line is broken anywhere. */
const pieces = (word: string, size: number, width: number): string[] => {
  const result: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && textWidth(piece + character, size) > width) {
      result.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...result, piece]
}

/** At most so many lines; the last one ends with an ellipsis if there was more. */
export const linesOf = (text: string, size: number, width: number, most: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap(one => pieces(one, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer, size) <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
    if (lines.length > most) break
  }
  lines.push(line)
  if (lines.length <= most) return lines.filter(one => one !== '')
  const last = lines[most - 1]!
  const shortened = textWidth(`${last}…`, size) <= width ? last : last.slice(0, -2)
  return [...lines.slice(0, most - 1), `${shortened.replace(/[\s,.;:]+$/, '')}…`]
}
