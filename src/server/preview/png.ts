/** Writes pixels as a PNG file: eight bits for red, green and blue. */
import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const colourOfThree = 2

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

export const pngOf = (width: number, height: number, pixels: Uint8Array): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colourOfThree, 0, 0, 0], 8)
  // Each line begins with its filter type: 0 for none.
  const lines = Buffer.alloc(height * (1 + 3 * width))
  for (let y = 0; y < height; y++)
    lines.set(pixels.subarray(y * 3 * width, (y + 1) * 3 * width), y * (1 + 3 * width) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
