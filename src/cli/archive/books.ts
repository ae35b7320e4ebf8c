/** How a person names a book of letters. */
import { UsageError } from '../../core/errors.ts'
import { fold } from '../../core/log/state.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { allBooks } from '../../table/book-letters.ts'
import { programName } from '../terminal/program-name.ts'
import { idOf } from './sessions.ts'

/** An id, the beginning of one, or "last" for the newest book. */
export const bookIdOf = async (name: string, archive: Archive): Promise<string> => {
  const [newest] = (await archive.find({ books: true }, { limit: 1 })).sessions
  if (!newest)
    throw new UsageError(`There are no books of letters yet. To get one: ${programName()} letters ask`)
  if (name === 'last') return newest.id
  const id = await idOf(name, archive)
  if (fold(await archive.read(id)).book) return id
  throw new UsageError(
    `Session ${id} is not a book of letters. \`${programName()} letters list\` lists them.`,
  )
}

/** Books for seats to read; "all" means every one. */
export const booksNamed = (names: readonly string[], archive: Archive): Promise<string[]> =>
  Promise.all(names.map(async name => (name === allBooks ? name : bookIdOf(name, archive))))
