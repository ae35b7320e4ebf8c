import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sampleLog } from '../../../test/sample-session.ts'
import { fold } from '../../core/log/state.ts'
import { colourOf } from './canvas.ts'
import { palette, pictureOf, pictureSize } from './picture.ts'

const { width, height } = pictureSize

/** The colour at a place of a PNG whose lines are not filtered. */
const pixelsOf = (png: Buffer) => {
  const start = png.indexOf('IDAT')
  const lines = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  return (x: number, y: number): number[] => [
    ...lines.subarray(y * (1 + 3 * width) + 1 + 3 * x, y * (1 + 3 * width) + 4 + 3 * x),
  ]
}

test('[H63] seats have the colours of their camps, and a silent seat has none', () => {
  const at = pixelsOf(pictureOf(fold(sampleLog)))
  expect(at(5, 5)).toEqual([...colourOf(palette.paper)])
  // The bottom seat is of the first camp, the top one of the second, which is striped.
  expect(at(320, 520)).toEqual([...colourOf(palette.camps[0])])
  const striped = Array.from({ length: 40 }, (_, step) => String(at(300 + step, 110)))
  expect(striped).toContain(String(colourOf(palette.camps[1])))
  expect(new Set(striped).size).toBeGreaterThan(1)
  expect(at(142, 212)).toEqual([...colourOf(palette.paper)])
})

test('[H63] after one round the table is in the middle', () => {
  const at = pixelsOf(pictureOf(fold(sampleLog.slice(0, 2))))
  expect(at(width / 2, height / 2)).toEqual([...colourOf(palette.surface)])
})

test('[H63] the colours are those of the pages', () => {
  const theme = readFileSync(new URL('../../web/theme.css', import.meta.url), 'utf8')
  const light = (name: string): string | undefined =>
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}),`).exec(theme)?.[1]
  const { camps, ...others } = palette
  for (const [name, colour] of Object.entries(others)) expect(light(name)).toBe(colour)
  for (const [index, colour] of camps.entries()) expect(light(`camp-${index}`)).toBe(colour)
})
