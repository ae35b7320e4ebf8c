/** A place in the list of sessions, as text that is handed out and back. */
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
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && place.length === 2) {
      const [openedAt, id] = place
      // No date or id has a NUL, and a database refuses to compare with one.
      if (typeof openedAt === 'string' && typeof id === 'string' && !`${openedAt}${id}`.includes('\0'))
        return { openedAt, id }
    }
  } catch {
    // Falls through: whatever is wrong with it, it is no cursor of ours.
  }
  throw new UsageError('The cursor is none that a list handed out: begin again without one.')
}
