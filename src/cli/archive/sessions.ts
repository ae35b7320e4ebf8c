/** The archive of saved sessions, and how a person names one of them. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { located, UsageError } from '../../core/errors.ts'
import { withheldLog } from '../../core/letters/withheld.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import type { StoredFile } from '../../core/question/stored-file.ts'
import { importedFiles } from '../../exports/imported-files.ts'
import { importText } from '../../exports/index.ts'
import type { Archive, FoundSession } from '../../store/archive/archive.ts'
import { lazily } from '../../store/archive/lazily.ts'
import { threadOf } from '../../store/archive/thread.ts'
import { filesOf } from '../../store/files-of.ts'
import { type Shared, type SharedOptions, sharedArchive } from '../../store/shared/shared.ts'
import { configAt } from '../terminal/config.ts'
import { whyUnread } from '../terminal/file-words.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'
import { watchedFrom } from '../watchdog/watch-over.ts'

/** Milliseconds that a command waits for another one that uses the archive and does not share it. */
const patience = 30_000

export const archiveFolder = (data: string): string => join(data, 'archive')

/** Imported only when it is needed: loading the embedded database takes longer than most commands. */
const openFolder = async (folder: string): Promise<Archive> =>
  (await import('../../store/embedded.ts')).embeddedArchive(folder)

/** Any number of processes can use a database server at once, so nothing has to be shared through a socket. */
const onServer = (address: string): Shared => ({
  ...lazily(async () => (await import('../../store/server.ts')).serverArchive(address)),
  server: async () => undefined,
  running: async () => undefined,
  ownRun: async () => () => {},
})

type Sharing = Pick<SharedOptions, 'listen' | 'moved'>

/** The archive is opened at its first use. The caller closes it. */
const storeFor = async (shell: Shell, sharing: Sharing = {}): Promise<Shared> => {
  const { env, data } = await configAt(shell)
  const address = env.DATABASE_URL?.trim()
  if (address) return onServer(address)
  const folder = archiveFolder(data)
  return sharedArchive({
    folder,
    patience,
    open: () => watchedFrom(() => openFolder(folder), env, shell),
    waiting: words => shell.stderr.write(`${words}\n`),
    ...sharing,
  })
}

export const withArchive = async <T>(
  shell: Shell,
  use: (archive: Shared) => Promise<T>,
  sharing?: Sharing,
): Promise<T> => {
  const archive = await storeFor(shell, sharing)
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

const textOf = (path: string, shell: Shell): string => {
  try {
    return readFileSync(resolve(shell.cwd, path), 'utf8')
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${whyUnread(error)}.`)
  }
}

interface SessionAndFiles {
  readonly events: SessionEvent[]
  readonly files: readonly StoredFile[]
}

/** Reads a session from a file. It gets a new id if the file has none. */
export const eventsFromFile = async (path: string, shell: Shell): Promise<SessionEvent[]> =>
  (await sessionFromFile(path, shell)).events

/** The same, with the files that a document brings along. */
export const sessionFromFile = async (path: string, shell: Shell): Promise<SessionAndFiles> => {
  const { dayId } = await import('../../runtime/ids.ts')
  const text = textOf(path, shell)
  try {
    const events = importText(text, { newId: dayId(shell.clock), clock: shell.clock })
    return { events, files: importedFiles(text, events) }
  } catch (error) {
    throw located(path, error)
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

const isThere = async (id: string, archive: Archive): Promise<boolean> =>
  /^[\w-]+$/.test(id) && (await archive.read(id)).length > 0

/** Lists all sessions only if the name may be the beginning of an id: an archive may hold a great many. */
export const idOf = async (name: string, archive: Archive): Promise<string> => {
  const newest = (await archive.find({}, { limit: 1 })).sessions[0]
  if (!newest)
    throw new UsageError(`No sessions are saved yet. Ask something, or try \`${programName()} tour\`.`)
  if (name === 'last') return newest.id
  if (await isThere(name, archive)) return name
  const ids = (await archive.list()).map(session => session.id)
  const found = ids.filter(id => id.startsWith(name))
  if (found.length === 1) return found[0]!
  throw new UsageError(
    found.length === 0
      ? `There is no session "${name}", and no such file. \`${programName()} sessions\` lists what is saved.`
      : `"${name}" matches ${found.length} sessions: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}.`,
  )
}

/** A session, as a person may read it, with its files, and those that belong to it. One from a file is known only by its log. */
export interface NamedSession extends SessionAndFiles {
  readonly thread?: readonly FoundSession[]
}

export const threadNamed = async (name: string, shell: Shell): Promise<NamedSession> => {
  if (isFile(resolve(shell.cwd, name))) {
    const { events, files } = await sessionFromFile(name, shell)
    return { events: withheldLog(events), files }
  }
  return withArchive(shell, async archive => {
    const events = withheldLog(await archive.read(await idOf(name, archive)))
    return { events, files: await filesOf(archive, events), thread: await threadOf(events, archive) }
  })
}

/** The log of a session as a person may read it, by its id, the beginning of its id, "last", or a file name. */
export const sessionNamed = async (name: string, shell: Shell): Promise<SessionEvent[]> => {
  const log = isFile(resolve(shell.cwd, name))
    ? await eventsFromFile(name, shell)
    : await withArchive(shell, async archive => archive.read(await idOf(name, archive)))
  return withheldLog(log)
}
