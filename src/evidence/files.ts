/** How the files of one kind are read. A reader runs in a thread of its own, with limits of time and memory. */

import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { unzipSync, zipSync } from 'fflate'
import { longestName, UsageError, wholeNumber } from '../core/basics.ts'
import {
  type Attachment,
  type AttachmentWish,
  largestFile,
  longestAttachment,
  type pictureMedia,
} from '../core/question.ts'
import type { ReaderReply, ReaderTask } from './reader-thread.ts'

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

// kinds: What a file is: its first bytes decide, and its name only if they can't.

export const readerNames = ['pdf', 'word', 'sheet', 'html', 'plain'] as const
export type ReaderName = (typeof readerNames)[number]

export interface FileKind {
  /** A picture isn't read: models see it, or are told that they can't. */
  readonly reader: ReaderName | 'picture'
  readonly media: string
}

const office = 'application/vnd.openxmlformats-officedocument'
const word: FileKind = { reader: 'word', media: `${office}.wordprocessingml.document` }
const sheet: FileKind = { reader: 'sheet', media: `${office}.spreadsheetml.sheet` }
const pdf: FileKind = { reader: 'pdf', media: 'application/pdf' }
const html: FileKind = { reader: 'html', media: 'text/html' }
const text: FileKind = { reader: 'plain', media: 'text/plain' }

const picture = (media: (typeof pictureMedia)[number]): FileKind => ({ reader: 'picture', media })

/** By how the name ends. */
const byEnding: Readonly<Record<string, FileKind>> = {
  pdf,
  docx: word,
  docm: word,
  xlsx: sheet,
  xlsm: sheet,
  html,
  htm: html,
  md: { reader: 'plain', media: 'text/markdown' },
  csv: { reader: 'plain', media: 'text/csv' },
  png: picture('image/png'),
  jpg: picture('image/jpeg'),
  jpeg: picture('image/jpeg'),
  webp: picture('image/webp'),
  gif: picture('image/gif'),
}

/** By how the bytes begin. A dot stands for any byte. */
const pdfSignature = '%PDF-'
const pictures: readonly (readonly [string, FileKind])[] = [
  ['\x89PNG\r\n\x1a\n', picture('image/png')],
  ['\xff\xd8\xff', picture('image/jpeg')],
  ['GIF87a', picture('image/gif')],
  ['GIF89a', picture('image/gif')],
  ['RIFF....WEBP', picture('image/webp')],
]

const zip = 'PK\x03\x04'
const oldOffice = '\xd0\xcf\x11\xe0'

const beginsWith = (bytes: Uint8Array, signature: string): boolean =>
  [...signature].every((char, index) => char === '.' || bytes[index] === char.charCodeAt(0))

const endingOf = (name: string): string => /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Throws Unreadable if we don't read this kind of file. */
export const kindOf = (name: string, bytes: Uint8Array): FileKind => {
  if (beginsWith(bytes, pdfSignature)) return pdf
  const said = byEnding[endingOf(name)]
  const shown = pictures.find(([signature]) => beginsWith(bytes, signature))?.[1]
  if (shown && (said === undefined || said.reader === 'picture')) return shown
  if (shown) throw new Unreadable('its content is not what its name says: it is a picture')
  const isOffice = said?.reader === 'word' || said?.reader === 'sheet'
  if (isOffice && (beginsWith(bytes, zip) || beginsWith(bytes, oldOffice))) return said
  if (beginsWith(bytes, zip)) throw new Unreadable('it is a zip file: attach the files that are in it')
  if (beginsWith(bytes, oldOffice))
    throw new Unreadable('it is in a format of Office from before 2007: save it as .docx or .xlsx')
  if (said && said.reader !== 'plain' && said.reader !== 'html')
    throw new Unreadable('its content is not what its name says')
  return said ?? text
}

// readInThread: A hostile file must not take this process along: it is read in a thread with limits of time and memory.

export interface ReaderLimits {
  readonly seconds: number
  readonly megabytes: number
}

const usualLimits: ReaderLimits = { seconds: 60, megabytes: 256 }

/** Threads at the same time. */
const mostThreads = 2
let running = 0
const waiting: (() => void)[] = []

const threadFile = (): string => fileURLToPath(import.meta.url).replace(/files\.(ts|js)$/, 'reader-thread.$1')

const replyFrom = (task: ReaderTask, { seconds, megabytes }: ReaderLimits): Promise<ReaderReply> =>
  new Promise(resolve => {
    const thread = new Worker(threadFile(), {
      workerData: task,
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
    })
    const end = (reply: ReaderReply): void => {
      clearTimeout(timer)
      resolve(reply)
      void thread.terminate()
    }
    const timer = setTimeout(
      () => end({ problem: `reading it took more than ${seconds} seconds` }),
      seconds * 1_000,
    )
    thread.once('message', end)
    thread.once('error', (error: NodeJS.ErrnoException) =>
      end({
        problem:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `reading it needs more than ${megabytes} MB of memory`
            : 'it is broken: it cannot be read',
      }),
    )
    thread.once('exit', () => end({ problem: 'it is broken: it cannot be read' }))
  })

/** Throws Unreadable with the reason. */
export const readInThread = async (
  task: ReaderTask,
  limits: ReaderLimits = usualLimits,
): Promise<readonly TextPart[]> => {
  if (running >= mostThreads) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    const reply = await replyFrom(task, limits)
    if ('problem' in reply) throw new Unreadable(reply.problem)
    return reply.parts
  } finally {
    running--
    waiting.shift()?.()
  }
}

// plain: Text, Markdown, code and CSV: the text itself.

export const plain: Reader = async bytes => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return [{ text }]
  } catch {}
  throw new Unreadable('it is not UTF-8 text')
}

// evidence: Files become exhibits: their text with pages or sheets, or the size of a picture, and their bytes by their hash.

/** An exhibit with its bytes, as base64. */
export interface Exhibit extends Attachment {
  readonly media: string
  readonly sha256: string
  readonly data: string
}

export interface AttachedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The last part of a path, without characters that could change how a line is shown. */
export const fileName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
    .slice(-longestName) || 'file'

const between = '\n\n'

/** One text out of the parts, and where each of them begins in it. */
export const joined = (parts: readonly TextPart[]): Pick<Attachment, 'text' | 'places'> => {
  const texts = parts.map(part => part.text.replaceAll('\r\n', '\n').trimEnd())
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0)
  if (length > longestAttachment)
    throw new Unreadable(
      `it has more than ${wholeNumber(longestAttachment)} characters of text: attach a part of it`,
    )
  let at = 0
  const places = parts.flatMap(({ label }, index) => {
    const begins = at
    at += texts[index]!.length + between.length
    return label === undefined ? [] : [{ label: label.slice(0, longestName), at: begins }]
  })
  return { text: texts.join(between), ...(places.length > 0 && { places }) }
}

/** What was read last, by name and hash: a question is often estimated before it is asked. */
const remembered = new Map<string, Omit<Exhibit, 'data'>>()
const mostRemembered = 20

const readNew = async (name: string, bytes: Uint8Array, sha256: string, limits: ReaderLimits | undefined) => {
  const { reader, media } = kindOf(name, bytes)
  if (reader === 'picture') {
    const { pictureSize } = await import('./picture.ts')
    return { name, media, sha256, text: '', ...pictureSize(bytes, media) }
  }
  const parts = reader === 'plain' ? await plain(bytes) : await readInThread({ reader, bytes }, limits)
  const read = joined(parts)
  if (read.text.trim() === '') throw new Unreadable('it has no text')
  return { name, media, sha256, ...read }
}

/** Throws UsageError, with the name of the file and the reason, if it can't be read. */
export const exhibitFrom = async (file: AttachedFile, limits?: ReaderLimits): Promise<Exhibit> => {
  const name = fileName(file.name)
  const { bytes } = file
  try {
    if (bytes.length === 0) throw new Unreadable('it is empty')
    if (bytes.length > largestFile)
      throw new Unreadable(`it is larger than ${largestFile / 1_000_000} MB: attach a part of it`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const key = `${sha256} ${name}`
    const read = remembered.get(key) ?? (await readNew(name, bytes, sha256, limits))
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, read)
    return { ...read, data: Buffer.from(bytes).toString('base64') }
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`${name} can't be attached: ${error.message}.`)
    throw error
  }
}

// attached: The attachments of a request, read: each has its text afterwards.

/** The bytes of a file of an earlier session, as base64. Undefined if there is none. */
export type EarlierFile = (session: string, sha256: string) => Promise<string | undefined>

/** Buffer ignores what isn't base64, and would read a part of it. */
const isBase64 = (data: string): boolean => data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)

const dataOf = async (
  { name, text, data, session, sha256 }: AttachmentWish,
  earlier: EarlierFile | undefined,
): Promise<string | undefined> => {
  if (data !== undefined || session === undefined) return data
  const found = sha256 === undefined ? undefined : await earlier?.(session, sha256)
  // A session may have been imported without its files: its text is still there.
  if (found !== undefined || text) return found
  throw new UsageError(`Session ${session} has no such file as ${fileName(name)}: attach it again.`)
}

const readOne = async (wish: AttachmentWish, earlier: EarlierFile | undefined): Promise<AttachmentWish> => {
  const data = await dataOf(wish, earlier)
  const name = fileName(wish.name)
  if (data === undefined) {
    const { text = '', media = 'text/plain', places, width, height } = wish
    const size = width === undefined || height === undefined ? {} : { width, height }
    return { name, text, media, ...(places && { places }), ...size }
  }
  if (!isBase64(data)) throw new UsageError(`The data of ${name} isn't base64.`)
  return exhibitFrom({ name, bytes: new Uint8Array(Buffer.from(data, 'base64')) })
}

/** Throws UsageError if one of them can't be read. */
export const readAttachments = async (
  wishes: readonly AttachmentWish[],
  earlier?: EarlierFile,
): Promise<readonly AttachmentWish[]> => {
  const read: AttachmentWish[] = []
  for (const wish of wishes) read.push(await readOne(wish, earlier))
  return read
}

// unpack: Word and Excel files are zip files. They are unpacked once, within a limit, so that a small one can't become huge.

const mostEntries = 5_000
const mostUnpacked = 100_000_000

/** Password-protected Office files are no zip files but in the older format of Office. */
const isOldOffice = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf

/**
 * The same file, packed without compression. The unpacker gives an entry the room that its header says and no more, so a
 * header that lies can't make it grow.
 */
export const repacked = (bytes: Uint8Array, holds: string): Uint8Array => {
  if (isOldOffice(bytes))
    throw new Unreadable('it is encrypted, or in a format from before 2007: save a copy without a password')
  let entries = 0
  let unpacked = 0
  const filter = ({ originalSize }: { originalSize: number }): boolean => {
    entries++
    unpacked += originalSize
    if (entries > mostEntries || unpacked > mostUnpacked)
      throw new Unreadable(`it would unpack to more than ${mostUnpacked / 1_000_000} MB`)
    return true
  }
  try {
    const files = unzipSync(bytes, { filter })
    if (!files[holds]) throw new Unreadable('its content is not what its name says')
    return zipSync(files, { level: 0 })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('it is broken: it cannot be unpacked')
  }
}
