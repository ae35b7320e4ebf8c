/** Holds the archive of a data folder in the test's own process: commands use it through its socket. */

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Archive } from '../src/store/archive.ts'
import { lockFolder } from '../src/store/folder-lock.ts'
import { memoryStore } from '../src/store/memory.ts'
import { sharedArchive } from '../src/store/shared.ts'

const inMemory = async (folder: string): Promise<Archive> => ({
  ...memoryStore(),
  close: await lockFolder(folder),
})

/** In memory by default, which needs no database. */
export const keepArchive = async (
  data: string,
  open?: (folder: string) => Promise<Archive>,
): Promise<Archive> => {
  const folder = join(data, 'archive')
  const kept = sharedArchive({
    folder,
    patience: 0,
    listen: true,
    open: () => (open ?? inMemory)(folder),
  })
  await kept.list()
  onTestFinished(() => kept.close())
  return kept
}
