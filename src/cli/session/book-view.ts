/** Books of letters on a terminal. */

import { isSealedBook } from '../../core/letters/book.ts'
import { bookLine, bookTitle, commonThread, letterNote } from '../../core/letters/book-words.ts'
import { lettersIn } from '../../core/letters/letters.ts'
import { sealedWords } from '../../core/letters/withheld.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import type { FoundSession } from '../../store/archive/archive.ts'
import { cut, oneLine, padEnd } from '../terminal/cells.ts'
import { type Look, paragraph, room, rule } from '../terminal/look.ts'
import { programName } from '../terminal/program-name.ts'

const none = ` There are no books of letters yet. To get one: ${programName()} letters ask`

export const bookLines = (books: readonly FoundSession[], look: Look): string[] =>
  books.length === 0
    ? [none]
    : books.flatMap(({ id, openedAt, book, models, question, outcome }) => [
        ` ${look.paint.strong(padEnd(oneLine(id), 16))} ${look.paint.faint(oneLine(openedAt).slice(0, 10))}  ${outcome === null ? 'not finished' : book} · ${cut(models.map(oneLine).join(', '), room(look) - 45)}`,
        ` ${' '.repeat(16)} ${cut(oneLine(question), room(look) - 18)}`,
      ])

const lines = (text: string, look: Look): string[] =>
  text.split(/\r\n|\r|\n/).flatMap(line => (line.trim() === '' ? [''] : paragraph(oneLine(line), 1, look)))

export const bookView = (session: Session, look: Look): string[] => {
  const letters = lettersIn(session)
  const head = [rule(bookTitle(session), look), ...paragraph(oneLine(bookLine(letters)), 1, look)]
  if (isSealedBook(session))
    return [
      ...head,
      '',
      ...paragraph(sealedWords, 1, look),
      ...paragraph(`To open it: ${programName()} letters open ${session.id}`, 1, look, look.paint.faint),
    ]
  const { report } = session
  return [
    ...head,
    ...letters.flatMap((letter, index) => {
      const note = letterNote(letter, seat => seatOf(session, seat).name)
      return [
        '',
        rule(`${index + 1} · ${letter.from}`, look),
        ...lines(letter.text, look),
        ...(note ? paragraph(oneLine(note), 1, look, look.paint.faint) : []),
      ]
    }),
    ...(report
      ? ['', rule(commonThread, look), ...lines(report.answer, look), ...lines(report.summary, look)]
      : []),
  ]
}
