/** What a book of letters is called, and what is said about it on every face. */
import { utcDayText } from '../wording/dates.ts'
import { counted, listed } from '../wording/numbers.ts'
import type { BookMark } from './book.ts'
import type { BookLetter } from './letters.ts'

export const commonThread = 'The common thread'
export const readingOrder = 'Reading order'
export const readingOrderHint =
  'As far as possible, a letter comes after those it draws on. Among equals, the one that is quoted most comes first.'

/** "Letters of Nov 17, 2026" */
export const bookTitle = ({
  book,
  openedAt,
}: {
  readonly book?: BookMark | undefined
  readonly openedAt: string
}): string => `${book?.lessonOf === undefined ? 'Letters' : 'Lessons'} of ${utcDayText(openedAt)}`

/** "6 letters by GLM 4.7, Grok 4.20 and …" */
export const bookLine = (letters: readonly { readonly from: string }[]): string =>
  letters.length === 0
    ? 'No letters yet'
    : `${counted(letters.length, 'letter')} by ${listed(letters.map(({ from }) => from))}`

/** "Rewritten after reading the others; draws on Grok 4.20" */
export const letterNote = (
  { rewritten, drawsOn }: Pick<BookLetter, 'rewritten' | 'drawsOn'>,
  name: (seat: string) => string,
): string =>
  [
    ...(rewritten ? ['rewritten after reading the others'] : []),
    ...(drawsOn.length > 0 ? [`draws on ${listed(drawsOn.map(name))}`] : []),
  ]
    .join('; ')
    .replace(/^./, letter => letter.toUpperCase())
