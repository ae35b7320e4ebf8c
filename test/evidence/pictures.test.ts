/** Pictures become exhibits: what they are is read from their header, and nothing is decoded. */

import { expect, test } from 'vitest'
import { largestPicture } from '../../src/core/question.ts'
import { exhibitFrom } from '../../src/evidence/files.ts'
import { createRoundtable } from '../../src/library/index.ts'
import { scripted } from '../../src/models/scripted.ts'
import { gifFile, jpegFile, pngFile, webpFile } from './files.ts'

const read = (name: string, bytes: Uint8Array) => exhibitFrom({ name, bytes })

test('[EV40] PNG, JPEG, WebP and GIF files become exhibits with their size, without text', async () => {
  const files: [string, Uint8Array, string][] = [
    ['a.png', pngFile(64, 32), 'image/png'],
    ['b.jpg', jpegFile(64, 32), 'image/jpeg'],
    ['c.JPEG', jpegFile(64, 32), 'image/jpeg'],
    ['d.webp', webpFile(64, 32), 'image/webp'],
    ['e.gif', gifFile(64, 32), 'image/gif'],
    // The bytes decide: a screenshot is often saved under the ending of another kind of picture.
    ['f.jpg', pngFile(64, 32), 'image/png'],
    ['clipboard', pngFile(64, 32), 'image/png'],
  ]
  for (const [name, bytes, media] of files) {
    const exhibit = await read(name, bytes)
    expect(exhibit).toMatchObject({ name, media, text: '', width: 64, height: 32 })
    expect(exhibit.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(Buffer.from(exhibit.data, 'base64').equals(bytes)).toBe(true)
  }
})

test('[EV41] a picture that is too large, truncated, or not what its name says is refused with the reason', async () => {
  const whole = pngFile(8, 4)
  const padded = Buffer.concat([whole, Buffer.alloc(largestPicture)])
  const refused: [string, Uint8Array, RegExp][] = [
    ['huge.png', pngFile(1, 1, { width: 30_000, height: 30_000 }), /30000 × 30000 pixels.*8000 × 8000/],
    ['wide.png', pngFile(1, 1, { width: 8_001, height: 1 }), /8001 × 1 pixels/],
    ['none.png', pngFile(1, 1, { width: 0, height: 5 }), /header does not say how large/],
    ['tall.jpg', jpegFile(1, 60_000), /1 × 60000 pixels/],
    ['heavy.png', padded, /larger than 3\.75 MB/],
    ['cut.png', whole.subarray(0, 18), /header does not say how large/],
    ['cut.jpg', jpegFile(8, 4).subarray(0, 22), /header does not say how large/],
    ['cut.gif', gifFile(8, 4).subarray(0, 7), /header does not say how large/],
    ['cut.webp', webpFile(8, 4).subarray(0, 18), /header does not say how large/],
    ['words.png', Buffer.from('just words'), /not what its name says/],
    ['report.pdf', whole, /not what its name says: it is a picture/],
    ['table.csv', whole, /not what its name says: it is a picture/],
  ]
  for (const [name, bytes, why] of refused) await expect(read(name, bytes), name).rejects.toThrow(why)
})

test('[EV49] a question has a limit of pictures, and one without its bytes is estimated but not asked', async () => {
  const roundtable = createRoundtable({ providers: [scripted(() => ({}))] })
  const picture = await read('a.png', pngFile(64, 32))
  const wish = { question: 'What is this?', seats: ['scripted/a'], moderator: null }
  const ask = (attachments: readonly (typeof picture)[]) => roundtable.estimate({ ...wish, attachments })
  expect(() => ask(Array(21).fill(picture))).toThrow(/at most 20 pictures/)
  const heavy = { ...picture, data: 'A'.repeat(4_400_000) }
  expect(() => ask(Array(4).fill(heavy))).toThrow(/at most 12 MB together/)
  const { data: _data, ...bare } = picture
  expect(roundtable.estimate({ ...wish, attachments: [bare] }).calls.high).toBeGreaterThan(0)
  await expect(roundtable.ask({ ...wish, attachments: [bare] }).result).rejects.toThrow(
    /a\.png came without its bytes/,
  )
})
