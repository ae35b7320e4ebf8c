/** A book of letters: a session whose seats write to their successors. It may be sealed until its owner opens it. */
import { z } from 'zod'
import { mostNames, boundedName as name, boundedText as text } from '../log/bounds.ts'

/** What marks a session as a book. */
export const bookSchema = z.object({
  /** Nobody but seats reads the letters until the book is opened. */
  sealed: z.literal(true).optional(),
  /** The session that these notes are the lessons of. */
  lessonOf: name.optional(),
})
export type BookMark = z.infer<typeof bookSchema>

export const bookStates = ['sealed', 'open'] as const
export type BookState = (typeof bookStates)[number]

/** A letter as it is handed to a reader. */
export const letterSchema = z.object({
  /** `book/seat`. */
  id: name,
  book: name,
  /** The display name of the model that wrote it. */
  from: name,
  /** `provider/model`. */
  model: name,
  writtenAt: name,
  text,
  /** Its book was sealed when it was handed on: seats read it, and no face shows its text. */
  sealed: z.literal(true).optional(),
})
export type Letter = z.infer<typeof letterSchema>

/** More letters than this no seat reads before it answers. */
export const mostLetters = 24

/** The letters that seats read before the sealed round, and which of them each seat got. */
export const lettersReadSchema = z.object({
  given: z.array(letterSchema).max(mostNames),
  /** By seat: ids of letters, in the order in which it read them. */
  bySeat: z.record(name, z.array(name).max(mostLetters)),
})
export type LettersRead = z.infer<typeof lettersReadSchema>

interface Marked {
  readonly book?: BookMark | undefined
  readonly bookOpenedAt?: string | undefined
}

/** Undefined: the session isn't a book. */
export const bookStateOf = ({ book, bookOpenedAt }: Marked): BookState | undefined => {
  if (!book) return undefined
  return book.sealed && bookOpenedAt === undefined ? 'sealed' : 'open'
}

export const isSealedBook = (session: Marked): boolean => bookStateOf(session) === 'sealed'
