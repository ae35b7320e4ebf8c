/** Draws a few shapes with soft edges on a plain background, without text. */
import { pngOf } from './png.ts'

/** Red, green, blue. */
export type Colour = readonly [number, number, number]
/** The colour at a point: a pattern has different ones. */
export type Shader = (x: number, y: number) => Colour

export interface Canvas {
  disc(x: number, y: number, radius: number, paint: Shader, opacity?: number): void
  /** The outline of a circle, `width` wide. */
  ring(x: number, y: number, radius: number, width: number, paint: Shader): void
  box(x: number, y: number, width: number, height: number, corner: number, paint: Shader): void
  /** A band that curves from one height to another. */
  ribbon(band: Band, paint: Shader, opacity: number): void
  png(): Buffer
}

export interface Band {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly thick: number
}

export const colourOf = (hex: string): Colour => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export const mixed = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

/** How much of a pixel is covered if its centre lies this far inside of an edge. */
const covered = (inside: number): number => Math.max(0, Math.min(1, inside + 0.5))

const blended = (below: number, above: number, share: number): number =>
  Math.round(below + (above - below) * share)

/** The course of a ribbon from 0 to 1: slow, fast, slow. */
const swing = (share: number): number => share * share * (3 - 2 * share)

export const canvas = (width: number, height: number, ground: Colour): Canvas => {
  const pixels = new Uint8Array(width * height * 3)
  for (let index = 0; index < pixels.length; index += 3) pixels.set(ground, index)

  /** Blends a shape into the pixels around it; `inside` is the distance to its edge. */
  const fill = (
    [left, top, right, bottom]: readonly [number, number, number, number],
    inside: (x: number, y: number) => number,
    paint: Shader,
    opacity: number,
  ): void => {
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++) {
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x++) {
        const share = covered(inside(x + 0.5, y + 0.5)) * opacity
        if (share === 0) continue
        const offset = (y * width + x) * 3
        const colour = paint(x, y)
        pixels[offset] = blended(pixels[offset]!, colour[0], share)
        pixels[offset + 1] = blended(pixels[offset + 1]!, colour[1], share)
        pixels[offset + 2] = blended(pixels[offset + 2]!, colour[2], share)
      }
    }
  }

  const around = (x: number, y: number, reach: number) =>
    [x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1] as const

  return {
    disc: (x, y, radius, paint, opacity = 1) =>
      fill(around(x, y, radius), (px, py) => radius - Math.hypot(px - x, py - y), paint, opacity),
    ring: (x, y, radius, line, paint) =>
      fill(
        around(x, y, radius + line),
        (px, py) => line / 2 - Math.abs(Math.hypot(px - x, py - y) - radius),
        paint,
        1,
      ),
    box(x, y, across, down, corner, paint) {
      const round = Math.min(corner, across / 2, down / 2)
      const inside = (px: number, py: number): number => {
        const [dx, dy] = [
          Math.abs(px - x - across / 2) - (across / 2 - round),
          Math.abs(py - y - down / 2) - (down / 2 - round),
        ]
        return round - Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) - Math.min(Math.max(dx, dy), 0)
      }
      fill([x - 1, y - 1, x + across + 1, y + down + 1], inside, paint, 1)
    },
    ribbon({ x0, y0, x1, y1, thick }, paint, opacity) {
      const inside = (px: number, py: number): number => {
        const upper = y0 + (y1 - y0) * swing((px - x0) / (x1 - x0))
        return Math.min(py - upper, upper + thick - py)
      }
      fill([x0, Math.min(y0, y1) - 1, x1, Math.max(y0, y1) + thick + 1], inside, paint, opacity)
    },
    png: () => pngOf(width, height, pixels),
  }
}
