/** An archive that is opened when it is first used: what goes wrong before that costs no database. */
import type { Archive } from './archive.ts'
import { archiveThrough } from './through.ts'

export const lazily = (open: () => Promise<Archive>): Archive => {
  let opening: Promise<Archive> | undefined
  return archiveThrough(
    async call => {
      opening ??= open()
      return call(await opening)
    },
    // One that could not be opened holds nothing, and has told so.
    async () => (await opening?.catch(() => undefined))?.close(),
  )
}
