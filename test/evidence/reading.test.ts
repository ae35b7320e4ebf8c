/** Files of every kind become exhibits, in a thread of their own. */

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exhibitFrom } from '../../src/evidence/files.ts'
import { pdfFile, pngFile, sheetFile, wordFile } from './files.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (name: string, bytes: Uint8Array) => exhibitFrom({ name, bytes })

test('[EV1] a PDF becomes its text with its pages', async () => {
  const bytes = pdfFile(['The rent is 900 euros.', 'Notice: three months.'])
  const exhibit = await read('lease.pdf', bytes)
  expect(exhibit).toMatchObject({
    name: 'lease.pdf',
    media: 'application/pdf',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    places: [
      { label: 'p. 1', at: 0 },
      { label: 'p. 2', at: expect.any(Number) },
    ],
  })
  expect(exhibit.text.slice(exhibit.places![1]!.at)).toContain('three months')
  expect(Buffer.from(exhibit.data, 'base64').equals(bytes)).toBe(true)
})

test('[EV1] a Word file becomes its paragraphs, a line each', async () => {
  const exhibit = await read('letter.docx', wordFile(['Dear tenant,', 'The rent rises by 3 %.']))
  expect(exhibit.text).toBe('Dear tenant,\nThe rent rises by 3 %.')
  expect(exhibit.places).toBeUndefined()
})

test('[EV1] a spreadsheet becomes its sheets, a row a line', async () => {
  const exhibit = await read(
    'costs.xlsx',
    sheetFile({
      Rent: [
        ['Month', 'Euros'],
        ['May', 900],
      ],
      Heating: [['Oil', 120.5]],
    }),
  )
  expect(exhibit.places?.map(({ label }) => label)).toEqual(['Rent', 'Heating'])
  expect(exhibit.text).toBe('Month\tEuros\nMay\t900\n\nOil\t120.5')
})

test('[EV1] HTML becomes what a person reads of it', async () => {
  const page =
    '<html><head><title>T</title><style>p{}</style></head><body><script>alert(1)</script><h1>Rent</h1><p>It is <b>900</b> euros. <a href="http://x.test/">Why?</a></p></body></html>'
  const exhibit = await read('page.html', bytesOf(page))
  expect(exhibit.text).toContain('It is 900 euros. Why?')
  expect(exhibit.text).not.toMatch(/alert|p\{\}|x\.test/)
})

test('[EV1] text, Markdown, code and CSV stay as they are', async () => {
  const media = { 'a.txt': 'text/plain', 'a.md': 'text/markdown', 'a.csv': 'text/csv', 'a.py': 'text/plain' }
  for (const [name, expected] of Object.entries(media)) {
    const exhibit = await read(name, bytesOf('one,two\n3,4\n'))
    expect(exhibit).toMatchObject({ media: expected, text: 'one,two\n3,4' })
  }
})

test('[EV2] a file that cannot be read is refused with its name and the reason', async () => {
  const refused: [string, Uint8Array, RegExp][] = [
    ['empty.txt', new Uint8Array(), /empty\.txt can't be attached: it is empty/],
    ['noise.txt', new Uint8Array([1, 0, 255]), /not UTF-8/],
    ['broken.pdf', bytesOf('%PDF-1.4\nnothing'), /broken\.pdf .* not a PDF/],
    ['fake.pdf', bytesOf('plain words'), /not what its name says/],
    ['broken.docx', bytesOf('PK\x03\x04 nothing'), /it is broken/],
    ['wrong.docx', sheetFile({ A: [['x']] }), /not what its name says/],
    ['old.doc', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /before 2007/],
    ['secret.docx', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]), /encrypted/],
    ['all.zip', wordFile(['x']), /zip file/],
    ['shot.pdf', pngFile(8, 4), /it is a picture/],
    ['big.txt', bytesOf('x'.repeat(1_000_001)), /1,000,000 characters/],
    ['huge.txt', new Uint8Array(20_000_001), /larger than 20 MB/],
    ['blank.pdf', pdfFile(['']), /no text, only pictures/],
  ]
  for (const [name, bytes, why] of refused) await expect(read(name, bytes)).rejects.toThrow(why)
})

test('[EV3] a name is the last part of a path, and what a file is follows from its bytes', async () => {
  expect(await read('../../etc/pass\u202Ewd\n', bytesOf('words'))).toMatchObject({ name: 'passwd' })
  expect(await read('C:\\Users\\x\\notes.txt', pdfFile(['Really a PDF']))).toMatchObject({
    name: 'notes.txt',
    media: 'application/pdf',
  })
})
