/** Files become exhibits: their text with pages or sheets, or the size of a picture, and their bytes by their hash. */
import { createHash } from 'node:crypto'
import { UsageError } from '../core/errors.ts'
import { longestName } from '../core/log/bounds.ts'
import { largestFile } from '../core/question/attachment-wish.ts'
import { type Attachment, longestAttachment } from '../core/question/question.ts'
import { wholeNumber } from '../core/wording/numbers.ts'
import { kindOf } from './kinds.ts'
import { type ReaderLimits, readInThread } from './read-in-thread.ts'
import { type TextPart, Unreadable } from './reader.ts'
import { plain } from './readers/plain.ts'

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
