/** Reads the letters of a book, for seats: a sealed one, too. */
import { UsageError } from '../core/errors.ts'
import type { Letter } from '../core/letters/book.ts'
import { lettersToHandOn } from '../core/letters/letters.ts'
import { fold } from '../core/log/state.ts'
import type { Archive } from '../store/archive/archive.ts'

/** More books than this aren't read for one session. */
const mostBooks = 200

/** In the place of an id: every book there is, the oldest first. */
export const allBooks = 'all'

const lettersAt = async (archive: Archive, id: string): Promise<readonly Letter[]> => {
  const log = await archive.read(id)
  if (log.length === 0) throw new UsageError(`There is no book of letters "${id}".`)
  const session = fold(log)
  if (!session.book) throw new UsageError(`Session ${id} is not a book of letters.`)
  if (!session.outcome) throw new UsageError(`The book ${id} is still being written: wait until it is over.`)
  return lettersToHandOn(session)
}

export const lettersOfBook = async (archive: Archive, name: string): Promise<readonly Letter[]> => {
  if (name !== allBooks) return lettersAt(archive, name)
  const { sessions } = await archive.find({ books: true }, { limit: mostBooks })
  const over = sessions.filter(({ outcome }) => outcome !== null).toReversed()
  if (over.length === 0) throw new UsageError('There are no books of letters yet.')
  return (await Promise.all(over.map(({ id }) => lettersAt(archive, id)))).flat()
}
