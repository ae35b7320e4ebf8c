/** Takes over the sessions that earlier versions kept as files, so that nobody loses any. */
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileStore } from './files.ts'
import type { Store } from './store.ts'

/** A file that was taken over moves to `adopted/`; one that cannot be read stays where it is. */
export const adoptFiles = async (folder: string, store: Store): Promise<number> => {
  if (!existsSync(folder)) return 0
  const files = fileStore(folder)
  const sessions = await files.list()
  if (sessions.length === 0) return 0
  const adopted = join(folder, 'adopted')
  await mkdir(adopted, { recursive: true, mode: 0o700 })
  for (const { id } of sessions) {
    // A crash between the two steps below leaves a log that is here already: only what is missing is added.
    const { length } = await store.read(id)
    await store.append(id, (await files.read(id)).slice(length))
    await rename(join(folder, `${id}.jsonl`), join(adopted, `${id}.jsonl`))
  }
  return sessions.length
}
