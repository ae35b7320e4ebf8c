/** Files that want to harm: refused or harmless, and this process goes on. */

import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { exhibitFrom, readInThread } from '../../src/evidence/files.ts'
import { pdfFile, pdfOf, pngFile, sheetFile, wordFile } from './files.ts'

const read = (name: string, bytes: Uint8Array) => exhibitFrom({ name, bytes })
const patience = 120_000

/** The size that each entry of a zip claims to have, in its central directory and its own header. */
const claiming = (zip: Uint8Array, size: number): Uint8Array => {
  const bytes = Buffer.from(zip)
  for (let at = 0; at < bytes.length - 30; at++) {
    const signature = bytes.readUInt32LE(at)
    if (signature === 0x02014b50) bytes.writeUInt32LE(size, at + 24)
    if (signature === 0x04034b50) bytes.writeUInt32LE(size, at + 22)
  }
  return bytes
}

test('[EV4] a zip bomb is refused before it is unpacked', { timeout: patience }, async () => {
  const zeros = new Uint8Array(120_000_000)
  const bomb = wordFile(['small'], { 'word/media/zeros.bin': zeros })
  expect(bomb.length).toBeLessThan(1_000_000)
  await expect(read('bomb.docx', bomb)).rejects.toThrow(/unpack to more than 100 MB/)
  const before = process.memoryUsage().rss
  const sheet = zipSync({ 'xl/workbook.xml': zeros })
  await expect(read('bomb.xlsx', sheet)).rejects.toThrow(/unpack to more than 100 MB/)
  await expect(read('liar.xlsx', claiming(sheet, 1_000))).rejects.toThrow(/can't be attached/)
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000)
})

test('[EV4] a PDF of 10,000 pages is refused, and one whose pages go in a circle ends', {
  timeout: patience,
}, async () => {
  await expect(read('long.pdf', pdfFile(Array.from({ length: 10_000 }, () => 'x')))).rejects.toThrow(
    /10000 pages, and at most 2000/,
  )
  const circle = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>',
  ])
  await expect(read('circle.pdf', circle)).rejects.toThrow(/circle\.pdf can't be attached/)
})

test('[EV4] a picture that claims to be huge is never decoded', async () => {
  await expect(read('huge.png', pngFile(1, 1, { width: 30_000, height: 30_000 }))).rejects.toThrow(
    /30000 × 30000 pixels/,
  )
})

test('[EV4] a macro is left out, and a formula is not computed', async () => {
  const macro = wordFile(['Only words'], { 'word/vbaProject.bin': strToU8('AutoOpen Shell "calc"') })
  expect((await read('macro.docm', macro)).text).toBe('Only words')
  expect((await read('sheet.xlsm', sheetFile({ A: [['=HYPERLINK("http://x.test")']] }))).text).toContain(
    '=HYPERLINK',
  )
})

test('[EV4] reading ends after its time, and when it needs too much memory', {
  timeout: patience,
}, async () => {
  const many = pdfFile(Array.from({ length: 1_500 }, (_, page) => `Page ${page}`))
  await expect(
    readInThread({ reader: 'pdf', bytes: many }, { seconds: 0.01, megabytes: 256 }),
  ).rejects.toThrow(/more than 0.01 seconds/)
  const rows = Array.from({ length: 60_000 }, (_, row) => ['word', 'another word', row, row * 2])
  await expect(
    readInThread({ reader: 'sheet', bytes: sheetFile({ A: rows }) }, { seconds: 60, megabytes: 16 }),
  ).rejects.toThrow(/more than 16 MB of memory/)
})
