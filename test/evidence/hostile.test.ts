/** Files that want to harm: refused or harmless, and this process goes on. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { exhibitFrom, readDocument } from '../../src/evidence/files.ts'
import { pdfFile, pdfOf, pngFile, sheetFile, wordFile } from './files.ts'
import { deepWord, farSheet, nestedPdf } from './hostile-files.ts'

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
  await expect(readDocument({ reader: 'pdf', bytes: many }, { seconds: 0.01 })).rejects.toThrow(
    /more than 0.01 seconds/,
  )
  const rows = Array.from({ length: 20_000 }, (_, row) => ['word', 'another word', row, row * 2])
  const bytes = sheetFile({ A: rows })
  await expect(readDocument({ reader: 'sheet', bytes }, { megabytes: 120 })).rejects.toThrow(
    /more than 120 MB of memory/,
  )
})

test('[EV222] a bomb of any kind ends its reader and nothing else: this process stays as it is, and reads the next file', {
  timeout: patience,
}, async () => {
  const bombs = { 'nested.pdf': nestedPdf(), 'far.xlsx': farSheet(), 'deep.docx': deepWord() }
  const before = process.memoryUsage().rss
  for (const [name, bytes] of Object.entries(bombs))
    await expect(read(name, bytes)).rejects.toThrow(
      /takes more than 300 MB of memory to read|took more than 10 seconds/,
    )
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect((await read('note.docx', wordFile(['Still here']))).text).toBe('Still here')
})

test('[EV223] people’s files take turns: whoever sends many bombs waits behind everybody else', {
  timeout: patience,
}, async () => {
  const order: string[] = []
  const send = (from: string, name: string, bytes: Uint8Array): Promise<void> =>
    exhibitFrom({ name, bytes }, { from }).then(
      () => void order.push(`${from} read`),
      ({ message }) => void order.push(message.includes('too many files') ? 'turned away' : from),
    )
  const all = [2_000, 2_001, 2_002].map(size => send('mallory', 'bomb.pdf', nestedPdf(size)))
  await send('ada', 'note.pdf', pdfFile(['A note']))
  expect(order).toEqual(['mallory', 'ada read'])
  await Promise.all(all)
  await Promise.all(
    Array.from({ length: 30 }, (_, page) => send('mallory', 'page.html', Buffer.from(`<p>${page}</p>`))),
  )
  expect(order.filter(one => one === 'turned away').length).toBeGreaterThan(4)
})

test('[EV224] a reader that is kept for the next file keeps no program alive, and ends with it', {
  timeout: patience,
}, async () => {
  const code = `
    import { exhibitFrom } from ${JSON.stringify(new URL('../../src/evidence/files.ts', import.meta.url).href)}
    const { text } = await exhibitFrom({ name: 'a.html', bytes: Buffer.from('<p>Words</p>') })
    console.log(text)`
  const began = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  expect(stdout).toMatch(/^Words/)
  // It would be kept for half a minute.
  expect(performance.now() - began).toBeLessThan(25_000)
})
