/** The pages' serif type for the renderer, which reads plain font files and none that are packed for the web. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'

export const family = 'Source Serif 4'
export const boldFamily = 'Source Serif 4 SemiBold'
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'] as const
const weights = [400, 600] as const

const headerSize = { woff: 44, sfnt: 12 }
const entrySize = { woff: 20, sfnt: 16 }

/** A WOFF file is a font whose tables are deflated one by one: https://www.w3.org/TR/WOFF/ */
export const unpacked = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => {
    const at = headerSize.woff + index * entrySize.woff
    const [offset, packed, length] = [4, 8, 12].map(field => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ]
    const data = woff.subarray(offset, offset + packed)
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      data: packed < length ? inflateSync(data) : data,
    }
  })
  const directory = Buffer.alloc(headerSize.sfnt + count * entrySize.sfnt)
  const power = 2 ** Math.floor(Math.log2(count))
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(power * 16, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE(count * 16 - power * 16, 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = headerSize.sfnt + index * entrySize.sfnt
    tag.copy(directory, at)
    directory.writeUInt32BE(checksum, at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(data.length, at + 12)
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    parts.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(parts)
}

export const loadFonts = (): Promise<Buffer[]> =>
  Promise.all(
    scripts.flatMap(script =>
      weights.map(async weight => {
        const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-${weight}-normal.woff`
        return unpacked(await readFile(fileURLToPath(import.meta.resolve(name))))
      }),
    ),
  )

/** Scripts that the fonts have. Words in another one would be drawn as empty boxes. */
export const isDrawable = (text: string): boolean =>
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u.test(text)
