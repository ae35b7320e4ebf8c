/**
 * One session's log in one file. Each line is one append, `{ writer, events }`, so an append is stored completely or not
 * at all. The file is never truncated or locked: if two processes write at once, the system puts one write after the
 * other, and the second line for a position doesn't count.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { SessionEvent } from '../core/log/event.ts'
import { PositionTaken } from './store.ts'

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
