/** What a file is: its first bytes decide, and its name only if they can't. */
import { Unreadable } from './reader.ts'

export const readerNames = ['pdf', 'word', 'sheet', 'html', 'plain'] as const
export type ReaderName = (typeof readerNames)[number]

export interface FileKind {
  readonly reader: ReaderName
  readonly media: string
}

const office = 'application/vnd.openxmlformats-officedocument'
const word: FileKind = { reader: 'word', media: `${office}.wordprocessingml.document` }
const sheet: FileKind = { reader: 'sheet', media: `${office}.spreadsheetml.sheet` }
const pdf: FileKind = { reader: 'pdf', media: 'application/pdf' }
const html: FileKind = { reader: 'html', media: 'text/html' }
const text: FileKind = { reader: 'plain', media: 'text/plain' }

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
}

/** By how the bytes begin. A dot stands for any byte. */
const pdfSignature = '%PDF-'
const pictures = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF8', 'RIFF....WEBP']

const zip = 'PK\x03\x04'
const oldOffice = '\xd0\xcf\x11\xe0'

const beginsWith = (bytes: Uint8Array, signature: string): boolean =>
  [...signature].every((char, index) => char === '.' || bytes[index] === char.charCodeAt(0))

const endingOf = (name: string): string => /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Throws Unreadable if it is no kind of file that is read. */
export const kindOf = (name: string, bytes: Uint8Array): FileKind => {
  if (beginsWith(bytes, pdfSignature)) return pdf
  if (pictures.some(signature => beginsWith(bytes, signature)))
    throw new Unreadable('it is a picture, and seats only read text: attach what it says as text')
  const said = byEnding[endingOf(name)]
  const isOffice = said?.reader === 'word' || said?.reader === 'sheet'
  if (isOffice && (beginsWith(bytes, zip) || beginsWith(bytes, oldOffice))) return said
  if (beginsWith(bytes, zip)) throw new Unreadable('it is a zip file: attach the files that are in it')
  if (beginsWith(bytes, oldOffice))
    throw new Unreadable('it is in a format of Office from before 2007: save it as .docx or .xlsx')
  if (said && said.reader !== 'plain' && said.reader !== 'html')
    throw new Unreadable('its content is not what its name says')
  return said ?? text
}
