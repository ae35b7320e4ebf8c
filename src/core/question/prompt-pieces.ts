/** A seat's prompt taken apart for a person who reads it: what the table says, and what stands between the marks. */

export type PromptItem = Readonly<Record<string, unknown>>

export type PromptPiece = { readonly text: string } | { readonly items: readonly PromptItem[] }

/** An exhibit or a source with words that can be cited. */
export interface CitableItem {
  readonly exhibit: number
  readonly name: string
}

const citableFrom = ({ exhibit, name, title, text, quotes }: PromptItem): CitableItem[] =>
  typeof exhibit === 'number' && (typeof text === 'string' || Array.isArray(quotes))
    ? [{ exhibit, name: String(name ?? title ?? '') }]
    : []

/**
 * Each exhibit and source of a prompt once, in their order; pictures have no words. Nothing if `form`, the JSON schema of
 * the answer, asks for no citations.
 */
export const citableItems = (user: readonly string[], { properties }: PromptItem): CitableItem[] => {
  if (typeof properties !== 'object' || properties === null || !('citations' in properties)) return []
  const all = promptPieces(user).flatMap(piece => ('items' in piece ? piece.items.flatMap(citableFrom) : []))
  return [...new Map(all.toReversed().map(one => [one.exhibit, one])).values()].toSorted(
    (one, other) => one.exhibit - other.exhibit,
  )
}

/** A line between the marks is one JSON object. Anything else is shown as it stands. */
const itemFrom = (line: string): PromptItem => {
  if (!line.startsWith('{') || !line.endsWith('}')) return { text: line }
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as PromptItem
  } catch {
    // It is text, then.
  }
  return { text: line }
}

/** The words and the texts of others, in the order of the prompt. */
export const promptPieces = (user: readonly string[]): PromptPiece[] => {
  const pieces: PromptPiece[] = []
  let words: string[] = []
  let items: PromptItem[] | undefined
  let end = ''
  const endText = (): void => {
    const text = words.join('\n').trim()
    if (text !== '') pieces.push({ text })
    words = []
  }
  for (const part of user) {
    for (const line of part.split('\n')) {
      if (items && line === end) {
        pieces.push({ items })
        items = undefined
      } else if (items) items.push(itemFrom(line))
      else if (/^<<<[^\s<>]+$/.test(line)) {
        endText()
        end = `${line.slice('<<<'.length)}>>>`
        items = []
      } else words.push(line)
    }
    if (!items) endText()
  }
  endText()
  return items ? [...pieces, { items }] : pieces
}
