/** A cursor marks where the next page of a list of sessions begins. Clients get it as opaque text. */
import { UsageError } from '../../core/errors.ts'
import type { Listed } from '../store.ts'

export interface Cursor {
  readonly openedAt: string
  readonly id: string
}

export const cursorText = ({ openedAt, id }: Listed): string =>
  Buffer.from(JSON.stringify([openedAt, id])).toString('base64url')

export const cursorFrom = (cursor: string): Cursor => {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(decoded) && decoded.length === 2) {
      const [openedAt, id] = decoded
      // No date or id contains a NUL, and the database refuses to compare with one.
      if (typeof openedAt === 'string' && typeof id === 'string' && !`${openedAt}${id}`.includes('\0'))
        return { openedAt, id }
    }
  } catch {
    // Whatever is wrong with it, it isn't one of our cursors.
  }
  throw new UsageError('Invalid cursor. Leave it out to start from the first page.')
}
