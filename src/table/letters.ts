/** Which letters each seat reads before the sealed round: those of its own line, or all. Pure. */
import { type Letter, type LettersRead, mostLetters } from '../core/letters/book.ts'
import type { Seat } from '../core/log/event.ts'
import { counted } from '../core/wording/numbers.ts'
import type { Catalogue } from '../providers/catalogue/index.ts'
import { byAge, isPredecessor, placeInLine } from '../providers/catalogue/line.ts'

/** Characters that one seat reads: about ten thousand tokens. Beyond that the oldest letters are left out. */
const mostRead = 36_000

/** The oldest first. If there is no letter of the seat's own line, all of them. */
const lineOf = (model: string, letters: readonly Letter[], catalogue: Catalogue): readonly Letter[] => {
  const own = placeInLine(model, catalogue)
  const placed = letters
    .map(letter => ({ letter, place: placeInLine(letter.model, catalogue) }))
    .filter(({ place }) => isPredecessor(place, own))
  return placed.length > 0
    ? placed.toSorted((one, other) => byAge(one.place, other.place)).map(({ letter }) => letter)
    : letters
}

const withinLimits = (letters: readonly Letter[]): readonly Letter[] => {
  const kept: Letter[] = []
  let read = 0
  for (const letter of letters.toReversed()) {
    read += letter.text.length
    if (kept.length >= mostLetters || (read > mostRead && kept.length > 0)) break
    kept.unshift(letter)
  }
  return kept
}

export interface LettersForTable {
  readonly letters?: LettersRead
  readonly notes: readonly string[]
}

/** A person's seat reads none: a book is for models, and may be sealed. */
export const lettersFor = (
  seats: readonly Seat[],
  letters: readonly Letter[],
  catalogue: () => Catalogue,
): LettersForTable => {
  if (letters.length === 0) return { notes: [] }
  const lines = seats
    .filter(({ outside }) => !outside)
    .map(({ id, model }) => {
      const line = lineOf(model, letters, catalogue())
      return { id, line, read: withinLimits(line) }
    })
  const used = new Set(lines.flatMap(({ read }) => read))
  const most = Math.max(0, ...lines.map(({ read }) => read.length))
  const cut = Math.max(0, ...lines.map(({ line, read }) => line.length - read.length))
  return {
    letters: {
      given: letters.filter(letter => used.has(letter)),
      bySeat: Object.fromEntries(lines.map(({ id, read }) => [id, read.map(letter => letter.id)])),
    },
    notes: [
      `Each seat first reads ${most === 1 ? 'a letter' : `up to ${counted(most, 'letter')}`} of its line${cut > 0 ? `; the oldest ${cut === 1 ? 'one is' : `${cut} are`} left out` : ''}.`,
      ...([...used].some(({ sealed }) => sealed)
        ? ['A book of these is sealed: its letters stay hidden, but a seat may quote them in its answer.']
        : []),
    ],
  }
}
