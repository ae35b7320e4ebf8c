/** Saved sessions, and the ways in which a person names one. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { located, UsageError } from '../../core/errors.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { importText } from '../../exports/index.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { lazily } from '../../store/archive/lazily.ts'
import { type Shared, type SharedOptions, sharedArchive } from '../../store/shared/shared.ts'
import { loadConfig } from '../../table/config.ts'
import type { Shell } from '../terminal/shell.ts'

/** How long a command waits for another one that has the archive and does not share it. */
const patience = 30_000

export const archiveFolder = (data: string): string => join(data, 'archive')

/** The archive in the person's own folder, with what earlier versions left in files. */
const openFolder = async (data: string): Promise<Archive> => {
  const [{ embeddedArchive }, { adoptFiles }] = await Promise.all([
    import('../../store/embedded.ts'),
    import('../../store/adopt.ts'),
  ])
  const archive = await embeddedArchive(archiveFolder(data))
  await adoptFiles(join(data, 'sessions'), archive)
  return archive
}

/** Any number of processes use a server's database at once: nobody has to share anything with anybody. */
const onServer = (address: string): Shared => ({
  ...lazily(async () => (await import('../../store/server.ts')).serverArchive(address)),
  server: async () => undefined,
  running: async () => undefined,
  claim: async () => () => {},
})

type Sharing = Pick<SharedOptions, 'door' | 'moved'>

/** Opened at its first use. Whoever asks for it closes it. */
export const storeFor = (shell: Shell, sharing: Sharing = {}): Shared => {
  const { env, data } = loadConfig(shell)
  const address = env.DATABASE_URL?.trim()
  if (address) return onServer(address)
  return sharedArchive({
    folder: archiveFolder(data),
    patience,
    open: () => openFolder(data),
    waiting: words => shell.stderr.write(`${words}\n`),
    ...sharing,
  })
}

export const withArchive = async <T>(
  shell: Shell,
  use: (archive: Shared) => Promise<T>,
  sharing?: Sharing,
): Promise<T> => {
  const archive = storeFor(shell, sharing)
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
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

/** A session out of a file, with a new id where the file has none. */
export const eventsFromFile = async (path: string, shell: Shell): Promise<SessionEvent[]> => {
  const { dayId } = await import('../../runtime/ids.ts')
  const text = textOf(path, shell)
  try {
    return importText(text, { newId: dayId(shell.clock), now: () => new Date(shell.clock()).toISOString() })
  } catch (error) {
    throw located(path, error)
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

const isThere = async (id: string, archive: Archive): Promise<boolean> =>
  /^[\w-]+$/.test(id) && (await archive.read(id)).length > 0

/** All are listed only where a beginning is given: an archive may hold more than anybody wants to list. */
export const idOf = async (name: string, archive: Archive): Promise<string> => {
  const newest = (await archive.find({}, { limit: 1 })).sessions[0]
  if (!newest) throw new UsageError('No session is saved yet: ask something, or try `roundtable tour`.')
  if (name === 'last') return newest.id
  if (await isThere(name, archive)) return name
  const ids = (await archive.list()).map(session => session.id)
  const found = ids.filter(id => id.startsWith(name))
  if (found.length === 1) return found[0]!
  throw new UsageError(
    found.length === 0
      ? `There is no session "${name}", and no such file; \`roundtable show\` lists what is saved.`
      : `"${name}" is the beginning of ${found.length} sessions: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}.`,
  )
}

/** The log of an id, of the beginning of one, of "last", or of a file. */
export const sessionNamed = async (name: string, shell: Shell): Promise<SessionEvent[]> => {
  if (isFile(resolve(shell.cwd, name))) return eventsFromFile(name, shell)
  return withArchive(shell, async archive => archive.read(await idOf(name, archive)))
}
