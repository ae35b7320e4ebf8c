/** How the files of one kind are read. A reader runs in a thread of its own, with limits of time and memory. */

/** A page, a sheet, or the whole text of a file that has no such parts. */
export interface TextPart {
  /** "p. 3", "Sheet1". Absent: places are lines. */
  readonly label?: string
  readonly text: string
}

/** Throws Unreadable if the file can't be read. */
export type Reader = (bytes: Uint8Array) => Promise<readonly TextPart[]>

/** A file that can't be read, with a reason for the person who attached it: "it is encrypted". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Pages or sheets that one file may have. */
export const mostParts = 2_000
