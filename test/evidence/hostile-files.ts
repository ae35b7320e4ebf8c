/** Small files that take a reader too much memory or too long, made here: bombs, far cells, deep trees. */

import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { pdfOf, sheetFile, wordFile } from './files.ts'

/** So many megabytes of one line that repeats. */
const repeated = (line: string, megabytes: number): string => line.repeat((megabytes * 1e6) / line.length)

/** A zlib stream that unpacks to so many megabytes of zeros, without making them here. */
const zeros = (megabytes: number): Buffer => {
  const one = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_SYNC_FLUSH })
  const end = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(megabytes).fill(one), end])
}

const pageOf = (content: Buffer, filter: string): Uint8Array => {
  const packed = content.toString('latin1')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${packed.length} /Filter ${filter} >>\nstream\n${packed}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

/** A page whose content is packed twice: a few kilobytes that unpack to gigabytes. */
export const nestedPdf = (megabytes = 8_000): Uint8Array =>
  pageOf(deflateSync(zeros(megabytes)), '[/FlateDecode /FlateDecode]')

/** A page that draws the same word again and again. */
export const endlessPdf = (): Uint8Array =>
  pageOf(deflateSync(`BT /F1 12 Tf ${'(x) Tj '.repeat(2_000_000)} ET`), '/FlateDecode')

const body = (inner: string): string =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inner}</w:body></w:document>`

export const bombWord = (): Uint8Array =>
  wordFile([], {
    'word/document.xml': strToU8(body(`<w:p><w:r><w:t>${repeated('a', 95)}</w:t></w:r></w:p>`)),
  })

export const deepWord = (): Uint8Array =>
  wordFile([], {
    'word/document.xml': strToU8(body(`${repeated('<w:p>', 15)}${repeated('</w:p>', 18)}`)),
  })

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheetXml = (rows: string): Record<string, Uint8Array> => ({
  'xl/worksheets/sheet1.xml': strToU8(
    `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  ),
})

/** One cell at the far corner of the sheet: a grid up to it would have 17,000 million. */
export const farSheet = (): Uint8Array =>
  sheetFile(
    { A: [['x']] },
    sheetXml('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'),
  )

export const bombSheet = (): Uint8Array =>
  sheetFile({ A: [['x']] }, sheetXml(repeated('<row r="1"><c r="A1"><v>1</v></c></row>', 90)))

/** More than is unpacked at all. */
export const hugeZip = (): Uint8Array => zipSync({ 'xl/workbook.xml': new Uint8Array(120_000_000) })

/** One of each kind, by its name. */
export const hostileFiles = (): Readonly<Record<string, Uint8Array>> => ({
  'nested.pdf': nestedPdf(),
  'endless.pdf': endlessPdf(),
  'bomb.docx': bombWord(),
  'deep.docx': deepWord(),
  'far.xlsx': farSheet(),
  'bomb.xlsx': bombSheet(),
  'huge.xlsx': hugeZip(),
})
