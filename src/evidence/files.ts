/** How the files of one kind are read. A reader runs in a process of its own, with limits of time and memory. */

import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { unzipSync, zipSync } from 'fflate'
import { longestName, UsageError, wholeNumber } from '../core/basics.ts'
import {
  type Attachment,
  type AttachmentWish,
  largestFile,
  longestAttachment,
  type pictureMedia,
} from '../core/question.ts'
import { inTurns } from '../core/turns.ts'
import type { ReaderReply, ReaderTask } from './reader-process.ts'

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

// readDocument: A hostile file must not take this process along: it is read in a child process, which is ended when that takes
// too long or too much memory. A thread can't do that: its limits don't count what is unpacked outside of its heap.

export interface ReaderOptions {
  readonly seconds?: number
  readonly megabytes?: number
  /** Whose file it is. Everybody's files take turns, and no process reads those of two people. */
  readonly from?: string
}

const [usualSeconds, usualMegabytes] = [10, 300]
/** A process that took more than this share of what it may isn't used again: the next file would be refused for it. */
const mostKept = 0.6
const idleMilliseconds = 30_000
/** Starting isn't the file's fault, on a machine that is busy. */
const startMilliseconds = 60_000

interface ReaderProcess {
  readonly child: ChildProcess
  readonly from: string
  readonly megabytes: number
  /** Never rejects. */
  readonly ready: Promise<void>
}

/** Started for the first file, and kept for the next ones for a little while: loading a reader takes longer than reading. */
let warm: ReaderProcess | undefined
let idle: NodeJS.Timeout | undefined

const endReader = (): void => {
  clearTimeout(idle)
  warm?.child.kill('SIGKILL')
  warm = undefined
}

const startReader = (from: string, megabytes: number): ReaderProcess => {
  const file = fileURLToPath(import.meta.url).replace(/files\.(ts|js)$/, 'reader-process.$1')
  const { SystemRoot } = process.env
  const child = fork(file, [String(megabytes)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [['--max-old-space-size', megabytes].join('=')],
    // Windows starts nothing without it. No key of ours is there to be read.
    env: SystemRoot === undefined ? {} : { SystemRoot },
  })
  return { child, from, megabytes, ready: new Promise(resolve => child.once('message', () => resolve())) }
}

const replyFrom = (
  { child, megabytes, ready }: ReaderProcess,
  task: ReaderTask,
  seconds: number,
): Promise<ReaderReply> =>
  new Promise(resolve => {
    const broken = { problem: 'it is broken: it cannot be read' }
    const tooMuch = {
      problem: `it takes more than ${megabytes} MB of memory to read, or unpacks to more: attach a part of it, or its text`,
    }
    const late = { problem: `reading it took more than ${seconds} seconds: attach a part of it, or its text` }
    let timer = setTimeout(() => resolve(broken), startMilliseconds)
    const end = (reply: ReaderReply): void => {
      clearTimeout(timer)
      child.off('exit', exited)
      resolve(reply)
    }
    const exited = (_code: number | null, signal: string | null): void => end(signal ? tooMuch : broken)
    child.once('exit', exited)
    child.once('error', () => end(broken))
    void ready.then(() => {
      clearTimeout(timer)
      timer = setTimeout(() => end(late), seconds * 1_000)
      child.once('message', reply => end(reply as ReaderReply))
      child.send(task, error => error && end(broken))
    })
  })

const readNext = async (
  task: ReaderTask,
  { seconds = usualSeconds, megabytes = usualMegabytes, from = '' }: ReaderOptions,
): Promise<ReaderReply> => {
  // What a hostile file left behind must not read the next person's.
  if (warm?.from !== from || warm.megabytes !== megabytes || !warm.child.connected) endReader()
  clearTimeout(idle)
  warm ??= startReader(from, megabytes)
  const { child } = warm
  child.ref()
  child.channel?.ref()
  const reply = await replyFrom(warm, task, seconds)
  if ('problem' in reply || (reply.megabytes ?? 0) > mostKept * megabytes) endReader()
  // A command ends as soon as it is done.
  child.unref()
  child.channel?.unref()
  idle = setTimeout(endReader, idleMilliseconds).unref()
  return reply
}

const turn = inTurns({
  ...{ waiting: 120, ofOne: 24 },
  refusal: () => new Unreadable('too many files are waiting to be read: try again in a minute'),
})

/** Throws Unreadable with the reason. */
export const readDocument = async (task: ReaderTask, options: ReaderOptions = {}): Promise<ReadText> => {
  const reply = await turn(options.from ?? '', () => readNext(task, options))
  if ('problem' in reply) throw new Unreadable(reply.problem)
  const { megabytes: _taken, ...read } = reply
  return read
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

export type ReadText = Pick<Attachment, 'text' | 'places'>

/** One text out of the parts, and where each of them begins in it. */
export const joined = (parts: readonly TextPart[]): ReadText => {
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

const readNew = async (name: string, bytes: Uint8Array, sha256: string, options: ReaderOptions) => {
  const { reader, media } = kindOf(name, bytes)
  if (reader === 'picture') {
    const { pictureSize } = await import('./picture.ts')
    return { name, media, sha256, text: '', ...pictureSize(bytes, media) }
  }
  const read =
    reader === 'plain' ? joined(await plain(bytes)) : await readDocument({ reader, bytes }, options)
  if (read.text.trim() === '') throw new Unreadable('it has no text')
  return { name, media, sha256, ...read }
}

/** Throws UsageError, with the name of the file and the reason, if it can't be read. */
export const exhibitFrom = async (file: AttachedFile, options: ReaderOptions = {}): Promise<Exhibit> => {
  const name = fileName(file.name)
  const { bytes } = file
  try {
    if (bytes.length === 0) throw new Unreadable('it is empty')
    if (bytes.length > largestFile)
      throw new Unreadable(`it is larger than ${largestFile / 1_000_000} MB: attach a part of it`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const key = `${sha256} ${name}`
    const read = remembered.get(key) ?? (await readNew(name, bytes, sha256, options))
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

const readOne = async (
  wish: AttachmentWish,
  earlier: EarlierFile | undefined,
  options: ReaderOptions,
): Promise<AttachmentWish> => {
  const data = await dataOf(wish, earlier)
  const name = fileName(wish.name)
  if (data === undefined) {
    const { text = '', media = 'text/plain', places, width, height } = wish
    const size = width === undefined || height === undefined ? {} : { width, height }
    return { name, text, media, ...(places && { places }), ...size }
  }
  if (!isBase64(data)) throw new UsageError(`The data of ${name} isn't base64.`)
  return exhibitFrom({ name, bytes: new Uint8Array(Buffer.from(data, 'base64')) }, options)
}

/** Throws UsageError if one of them can't be read. */
export const readAttachments = async (
  wishes: readonly AttachmentWish[],
  earlier?: EarlierFile,
  options: ReaderOptions = {},
): Promise<readonly AttachmentWish[]> => {
  const read: AttachmentWish[] = []
  for (const wish of wishes) read.push(await readOne(wish, earlier, options))
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
