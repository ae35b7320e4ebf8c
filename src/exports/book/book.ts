/** A book of letters as its exports see it. */
import { isSealedBook } from '../../core/letters/book.ts'
import { bookLine, bookTitle, letterNote } from '../../core/letters/book-words.ts'
import { type BookLetter, lettersIn } from '../../core/letters/letters.ts'
import { sealedWords } from '../../core/letters/withheld.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold, seatOf } from '../../core/log/state.ts'
import { seatNotes } from '../../core/wording/session-title.ts'
import { documentOf } from '../document.ts'
import { provenance } from '../wording.ts'

export interface ExportedLetter extends BookLetter {
  /** "Rewritten after reading the others"; empty if there is nothing to say. */
  readonly note: string
}

export interface ExportedBook {
  readonly title: string
  readonly line: string
  readonly task: string
  readonly notes: readonly string[]
  /** None while the book is sealed. */
  readonly letters: readonly ExportedLetter[]
  /** Who wrote, in the order of the table; also of a sealed book. */
  readonly writers: readonly string[]
  readonly thread?: { readonly answer: string; readonly each: string; readonly byCode: boolean }
  /** Seats that wrote no letter. */
  readonly silent: readonly string[]
  readonly provenance: string
}

export const isBook = (events: readonly SessionEvent[]): boolean =>
  events[0]?.type === 'session-opened' && events[0].book !== undefined

export const bookOf = (events: readonly SessionEvent[]): ExportedBook => {
  const session = fold(events)
  const sealed = isSealedBook(session)
  const letters = lettersIn(session)
  const { report, reportBy } = session
  const wrote = new Set(letters.map(({ seat }) => seat))
  return {
    title: bookTitle(session),
    line: bookLine(letters),
    task: session.question.text,
    notes: [...(sealed ? [sealedWords] : []), ...seatNotes(session.seats)],
    letters: sealed
      ? []
      : letters.map(letter => ({ ...letter, note: letterNote(letter, seat => seatOf(session, seat).name) })),
    writers: letters.map(({ from }) => from),
    ...(report &&
      !sealed && {
        thread: { answer: report.answer, each: report.summary, byCode: reportBy === 'code' },
      }),
    silent: session.seats.filter(({ id }) => !wrote.has(id)).map(({ name }) => name),
    provenance: provenance(documentOf(events)),
  }
}
