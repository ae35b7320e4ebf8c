/** What changed from one headline to the next, word by word. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Comparing takes the product of both lengths: longer texts are shown as replaced. */
const longest = 600

const wordsOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Lengths of the longest common run of words from each pair of places to the ends. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      table[one]![other] =
        before[one] === after[other]
          ? table[one + 1]![other + 1]! + 1
          : Math.max(table[one + 1]![other]!, table[one]![other + 1]!)
    }
  }
  return table
}

const joined = (pieces: readonly Piece[]): Piece[] => {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (last?.kind === piece.kind) result[result.length - 1] = { ...last, text: last.text + piece.text }
    else result.push(piece)
  }
  return result
}

export const wordDiff = (before: string, after: string): Piece[] => {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > longest || now.length > longest) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const common = commonLengths(old, now)
  const pieces: Piece[] = []
  let [one, other] = [0, 0]
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      pieces.push({ kind: 'same', text: now[other]! })
      one++
      other++
    } else if (
      other >= now.length ||
      (one < old.length && common[one + 1]![other]! >= common[one]![other + 1]!)
    ) {
      pieces.push({ kind: 'removed', text: old[one++]! })
    } else pieces.push({ kind: 'added', text: now[other++]! })
  }
  return joined(pieces)
}

/** How much of the newer text stood in the older one already, from 0 to 1. */
export const keptShare = (pieces: readonly Piece[]): number => {
  const length = (kind: Piece['kind']): number =>
    pieces.filter(piece => piece.kind === kind).reduce((sum, piece) => sum + piece.text.trim().length, 0)
  const whole = length('same') + length('added')
  return whole === 0 ? 0 : length('same') / whole
}
