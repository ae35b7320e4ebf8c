/** An archive that is opened at its first use, so that a command that fails earlier doesn't start a database. */
import type { Archive } from './archive.ts'
import { archiveThrough } from './through.ts'

export const lazily = (open: () => Promise<Archive>): Archive => {
  let opening: Promise<Archive> | undefined
  return archiveThrough(
    async call => {
      opening ??= open()
      return call(await opening)
    },
    // If it couldn't be opened, the first call has said so already and there is nothing to close.
    async () => (await opening?.catch(() => undefined))?.close(),
  )
}
