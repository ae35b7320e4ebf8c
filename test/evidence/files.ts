/** Small files of each kind, made here: a PDF, a Word file, a spreadsheet, pictures. */
import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')
const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The objects of a PDF, numbered from 1, with the table of where each of them begins. */
export const pdfOf = (objects: readonly string[], trailer = ''): Uint8Array => {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A page for each text; a line break begins a new line. */
export const pdfFile = (pages: readonly string[]): Uint8Array => {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const lines = text.split('\n').map(line => `(${escaped(line)}) Tj 0 -14 Td`)
      const stream = `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ])
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (kind: string, target: string): string =>
  `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${kind}" Target="${target}"/></Relationships>`
const types = (parts: string): string =>
  `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts}</Types>`

export const wordFile = (paragraphs: readonly string[], more: Record<string, Uint8Array> = {}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8(
      types(
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
      ),
    ),
    '_rels/.rels': strToU8(relations('officeDocument', 'word/document.xml')),
    'word/document.xml': strToU8(
      `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs
        .map(text => `<w:p><w:r><w:t>${xml(text)}</w:t></w:r></w:p>`)
        .join('')}</w:body></w:document>`,
    ),
    ...more,
  })

const cell = (value: string | number, column: number, row: number): string => {
  const place = `${String.fromCharCode(65 + column)}${row + 1}`
  return typeof value === 'number'
    ? `<c r="${place}"><v>${value}</v></c>`
    : `<c r="${place}" t="inlineStr"><is><t>${xml(value)}</t></is></c>`
}

export type Rows = readonly (readonly (string | number)[])[]

export const sheetFile = (
  sheets: Readonly<Record<string, Rows>>,
  more: Record<string, Uint8Array> = {},
): Uint8Array => {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return zipSync({
    '[Content_Types].xml': strToU8(
      types(
        '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>',
      ),
    ),
    '_rels/.rels': strToU8(relations('officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
        .map((name, index) => `<sheet name="${xml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${head}<Relationships xmlns="${packages}/relationships">${names
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        strToU8(
          `${head}<worksheet xmlns="${main}"><sheetData>${sheets[name]!.map(
            (row, at) =>
              `<row r="${at + 1}">${row.map((value, column) => cell(value, column, at)).join('')}</row>`,
          ).join('')}</sheetData></worksheet>`,
        ),
      ]),
    ),
    ...more,
  })
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})
const crc = (bytes: Uint8Array): number => {
  let c = 0xffffffff
  for (const byte of bytes) c = crcTable[(c ^ byte) & 0xff]! ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

/** A picture of one colour. `claims`: the size that its header says, if it lies. */
export const pngFile = (width: number, height: number, claims = { width, height }): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(claims.width, 0)
  header.writeUInt32BE(claims.height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + width * 3, 0x40)
  row[0] = 0
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** The header of a JPEG, and nothing after it. */
export const jpegFile = (width: number, height: number): Uint8Array => {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const intro = Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    ...Buffer.from('JFIF\0'),
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
  ])
  return Buffer.concat([intro, frame, Buffer.from([0xff, 0xd9])])
}

export const gifFile = (width: number, height: number): Uint8Array => {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), size, Buffer.from([0, 0, 0, 0x3b])])
}

/** Lossless, with a header and no pixels. */
export const webpFile = (width: number, height: number): Uint8Array => {
  const bits = Buffer.alloc(4)
  bits.writeUInt32LE((width - 1) | ((height - 1) << 14))
  const body = Buffer.concat([
    Buffer.from('WEBPVP8L', 'latin1'),
    Buffer.from([10, 0, 0, 0, 0x2f]),
    bits,
    Buffer.alloc(6),
  ])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
