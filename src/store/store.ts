/** A store keeps the logs of sessions. An append is durable once its promise is fulfilled. */

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { trimmedEnd, UsageError } from '../core/basics.ts'
import { eventProblem, type Outcome, type SessionEvent } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import { fold } from '../core/fold.ts'
import { isUnreached } from '../core/session.ts'
import type { Level } from '../count/tally.ts'
import { verdictOf } from '../count/verdict.ts'

/** A session in a list. */
export interface Listed {
  readonly id: string
  readonly question: string
  readonly openedAt: string
  /** Null while the session runs, and after a crash cut it off. */
  readonly outcome: Outcome | null
  readonly level: Level | null
  readonly line: string | null
}

export interface Store {
  /**
   * Appends all events or none of them. Fails with `PositionTaken` unless the log ends exactly before the first one, so
   * that if two processes run one session, one of them stops instead of paying twice.
   */
  append(id: string, events: readonly SessionEvent[]): Promise<void>
  /** The events after a position, or all. Empty if there is no such session. */
  read(id: string, after?: number): Promise<SessionEvent[]>
  /** Newest first. A log that can't be read is left out. */
  list(): Promise<Listed[]>
  /** Keeps files beside a log, before its first event is appended. A file that is there already stays as it is. */
  keepFiles(id: string, files: readonly StoredFile[]): Promise<void>
  /** Undefined if the session has no such file. */
  file(id: string, sha256: string): Promise<StoredFile | undefined>
  /** The files go too. Does nothing if there is no such session. */
  remove(id: string): Promise<void>
}

/** The same symbol in every copy of this package: `instanceof` fails if a program has loaded two of them. */
const marker = Symbol.for('roundtable.error.position-taken')

/** Somebody else has written at this position. A runner that gets this must stop running the session. */
export class PositionTaken extends Error {
  override readonly name = 'PositionTaken'
  readonly session: string
  readonly position: number
  readonly [marker] = true

  constructor(session: string, position: number) {
    super(`The log of session ${session} is not at position ${position}.`)
    this.session = session
    this.position = position
  }

  static isInstance(this: void, error: unknown): error is PositionTaken {
    return typeof error === 'object' && error !== null && marker in error
  }
}

// filesOf: The files that a log names.

/** Those that are there: a session may have been imported without its files. */
export const filesOf = async (
  store: Pick<Store, 'file'>,
  [first]: readonly SessionEvent[],
): Promise<StoredFile[]> => {
  if (first?.type !== 'session-opened') return []
  const hashes = new Set(first.question.attachments.flatMap(({ sha256 }) => sha256 ?? []))
  const found = await Promise.all([...hashes].map(sha256 => store.file(first.id, sha256)))
  return found.filter(file => file !== undefined)
}

// log: What every store checks and derives alike.

/** Ids become file names and parts of URLs, so nothing that could leave its folder is allowed. */
export const checkedId = (id: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id)) return id
  throw new UsageError(
    `${JSON.stringify(id)} is not a session id. Ids consist of letters, digits, "-" and "_".`,
  )
}

/**
 * The position of the first event. A gap in the batch would be a gap in the log, and a log with an event that the schema
 * refuses could be neither exported nor restored.
 */
export const checkedPosition = (events: readonly SessionEvent[]): number => {
  for (const event of events) {
    const problem = eventProblem(event)
    if (problem) throw new UsageError(`A log can't hold this ${event.type}. ${trimmedEnd(problem, '.')}.`)
  }
  const first = events[0]?.position ?? 0
  const gap = events.find((event, index) => event.position !== first + index)
  if (gap) throw new Error(`There is a gap before position ${gap.position}: the events start at ${first}.`)
  return first
}

export const listed = (events: readonly SessionEvent[]): Listed => {
  const session = fold(events)
  const verdict = session.outcome ? verdictOf(session) : null
  return {
    id: session.id,
    question: session.question.text,
    openedAt: session.openedAt,
    outcome: session.outcome ?? null,
    level: isUnreached(session) ? null : (verdict?.level ?? null),
    line: verdict?.line ?? null,
  }
}

export const newestFirst = <T extends Listed>(sessions: readonly T[]): T[] =>
  sessions.toSorted((one, other) => {
    if (one.openedAt !== other.openedAt) return one.openedAt < other.openedAt ? 1 : -1
    return one.id < other.id ? 1 : -1
  })

// logFile: One session's log in one file. Each line is one append, `{ writer, events }`, so an append is stored completely or not
// at all. The file is never truncated or locked: if two processes write at once, the system puts one write after the
// other, and the second line for a position doesn't count.

/** Ends a line that a crash left incomplete. Without it, the next append would continue the same line. */
const tornMark = '#torn'

/** The end of a line in the file: how many events and bytes come before it. */
export interface Mark {
  readonly events: number
  readonly bytes: number
}

export const start: Mark = { events: 0, bytes: 0 }

interface Line {
  readonly writer: string
  readonly events: readonly SessionEvent[]
}

interface Reading {
  /** The appends that count. */
  readonly lines: readonly Line[]
  readonly mark: Mark
  /** More bytes follow without a line end: from a crash, or a write that is under way. */
  readonly torn: boolean
}

const lineSchema = z.object({
  writer: z.string(),
  events: z.array(z.looseObject({ position: z.number(), at: z.string(), type: z.string() })).min(1),
})

const parsed = (text: string): Line | undefined => {
  try {
    const line: unknown = JSON.parse(text)
    return lineSchema.safeParse(line).success ? (line as Line) : undefined
  } catch {
    return undefined
  }
}

/** Reads from a mark to the end of the last complete line. */
export const readOn = async (handle: FileHandle, path: string, from: Mark): Promise<Reading> => {
  const { size } = await handle.stat()
  const buffer = Buffer.alloc(Math.max(0, size - from.bytes))
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from.bytes)
  const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
  const lines: Line[] = []
  let events = from.events
  for (const text of buffer.toString('utf8', 0, end).split('\n').slice(0, -1)) {
    if (text.endsWith(tornMark)) continue
    const line = parsed(text)
    const position = line?.events[0]?.position ?? Number.POSITIVE_INFINITY
    if (!line || position > events) throw new Error(`${path} is damaged: event ${events} can't be read.`)
    if (position < events) continue
    lines.push(line)
    events += line.events.length
  }
  return { lines, mark: { events, bytes: from.bytes + end }, torn: end < bytesRead }
}

/** A new file's name is durable only once its folder is synced. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const openLog = (path: string, creates: boolean): Promise<FileHandle> =>
  open(path, constants.O_APPEND | constants.O_RDWR | (creates ? constants.O_CREAT : 0), 0o600)

/** Appends in one write, and returns the mark after it. */
export const appendTo = async (path: string, session: string, known: Mark, line: Line): Promise<Mark> => {
  const first = line.events[0]!.position
  const handle = await openLog(path, first === 0).catch(error => {
    throw error.code === 'ENOENT' ? new PositionTaken(session, first) : error
  })
  try {
    const before = await readOn(handle, path, known)
    if (before.mark.events !== first) throw new PositionTaken(session, first)
    const bytes = Buffer.from(`${before.torn ? `${tornMark}\n` : ''}${JSON.stringify(line)}\n`)
    const { bytesWritten } = await handle.write(bytes)
    if (bytesWritten < bytes.length) throw new Error(`Could not write ${path}. Is the disk full?`)
    await handle.datasync()
    if (first === 0) await syncFolder(dirname(path))
    const after = await readOn(handle, path, before.mark)
    if (after.lines[0]?.writer !== line.writer) throw new PositionTaken(session, first)
    return after.mark
  } finally {
    await handle.close()
  }
}

// files: A store in a folder that only its owner can read: one file of JSON lines for each session.

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
    const first = checkedPosition(events)
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

// wasAppended: An append whose reply got lost may have been stored.

/** Whether exactly these events stand at their place in the log. */
export const wasAppended = async (
  store: Pick<Store, 'read'>,
  id: string,
  events: readonly SessionEvent[],
): Promise<boolean> => {
  const stored = await store.read(id, (events[0]?.position ?? 0) - 1)
  return isDeepStrictEqual(stored.slice(0, events.length), JSON.parse(JSON.stringify(events)))
}
