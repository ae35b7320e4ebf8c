/** A store in a folder that only its owner can read: one file of JSON lines for each session. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionEvent } from '../core/log/event.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import { checkedId, firstPosition, listed, newestFirst } from './log.ts'
import { appendTo, type Mark, readOn, start } from './log-file.ts'
import type { Listed, Store } from './store.ts'

const ending = '.jsonl'

/** The value for a missing file or folder; other errors are thrown. */
const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

const readAll = async (path: string): Promise<SessionEvent[]> => {
  const handle = await open(path, 'r').catch(ifMissing(null))
  if (!handle) return []
  try {
    const { lines } = await readOn(handle, path, start)
    return lines.flatMap(line => line.events)
  } finally {
    await handle.close()
  }
}

/** Null if the log is empty or damaged: one bad file must not hide all the others. */
const listedAt = (path: string): Promise<Listed | null> =>
  readAll(path)
    .then(listed)
    .catch(() => null)

export const fileStore = (folder: string): Store => {
  const writer = randomUUID().slice(0, 8)
  /** Where the logs end that this process writes, so that an append need not read from the start. */
  const ends = new Map<string, Mark>()
  /** The last append to each log: appends of one process take turns. */
  const turns = new Map<string, Promise<void>>()
  const pathOf = (id: string): string => join(folder, `${checkedId(id)}${ending}`)

  /** A folder beside the log. The name of a file is its hash, which nobody can choose. */
  const filesOf = (id: string): string => join(folder, `${checkedId(id)}.files`)
  const filePath = (id: string, sha256: string): string => join(filesOf(id), `${checkedId(sha256)}.json`)

  const appendNow = async (id: string, events: readonly SessionEvent[]): Promise<void> => {
    const path = pathOf(id)
    const first = firstPosition(events)
    if (events.length === 0) return
    if (first === 0) await mkdir(folder, { recursive: true, mode: 0o700 })
    const known = first === 0 ? start : (ends.get(id) ?? start)
    ends.delete(id)
    const end = await appendTo(path, id, known, { writer, events })
    if (events.at(-1)?.type !== 'session-finished') ends.set(id, end)
  }

  return {
    append(id, events) {
      const turn = (turns.get(id) ?? Promise.resolve()).then(() => appendNow(id, events))
      const settled = turn
        .catch(() => undefined)
        .then(() => {
          if (turns.get(id) === settled) turns.delete(id)
        })
      turns.set(id, settled)
      return turn
    },
    async read(id, after = -1) {
      return (await readAll(pathOf(id))).slice(after + 1)
    },
    async list() {
      const names = await readdir(folder).catch(ifMissing([]))
      const logs = names.filter(name => name.endsWith(ending)).map(name => listedAt(join(folder, name)))
      return newestFirst((await Promise.all(logs)).filter(session => session !== null))
    },
    async keepFiles(id, files) {
      if (files.length === 0) return
      await mkdir(filesOf(id), { recursive: true, mode: 0o700 })
      for (const file of files)
        await writeFile(filePath(id, file.sha256), JSON.stringify(file), { mode: 0o600, flush: true })
    },
    async file(id, sha256) {
      const text = await readFile(filePath(id, sha256), 'utf8').catch(ifMissing(undefined))
      return text === undefined ? undefined : (JSON.parse(text) as StoredFile)
    },
    async remove(id) {
      ends.delete(id)
      await rm(pathOf(id), { force: true })
      await rm(filesOf(id), { recursive: true, force: true })
    },
  }
}
