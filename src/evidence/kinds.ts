/** What a file is: its first bytes decide, and its name only if they can't. */
import type { pictureMedia } from '../core/question/picture.ts'
import { Unreadable } from './reader.ts'

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
