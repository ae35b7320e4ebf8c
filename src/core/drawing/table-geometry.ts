/** Where seats sit at the drawn table, and how arrows run between them. In hundredths of the drawing. */
import { rounded } from './shape.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** With more seats, names would overlap, and the seats of a camp sit together. */
export const mostNamed = 10

/** What is written in the middle has this radius; no arrow runs through it. */
const middle = 19

/** The first seat is at the top. */
export const pointOf = (index: number, of: number, radius: number): Point => {
  const angle = (index / of) * 2 * Math.PI - Math.PI / 2
  return { x: rounded(50 + radius * Math.cos(angle)), y: rounded(50 + radius * Math.sin(angle)) }
}

/** The diameter of a seat, so that neighbours don't touch. */
export const seatSize = (of: number, radius: number): number =>
  Math.min(13.5, (2 * Math.PI * radius * 0.82) / Math.max(of, 1))

const towardsMiddle = ({ x, y }: Point, share: number): Point => ({
  x: x + (50 - x) * share,
  y: y + (50 - y) * share,
})

/** From seat to seat, short of both, and around what is written in the middle. */
export const arrowPath = (from: Point, to: Point): string => {
  const [start, end] = [towardsMiddle(from, 0.3), towardsMiddle(to, 0.33)]
  const half = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }
  const [dx, dy] = [half.x - 50, half.y - 50]
  const away = Math.hypot(dx, dy)
  const [acrossX, acrossY] = [start.y - end.y, end.x - start.x]
  const across = Math.hypot(acrossX, acrossY) || 1
  // Seats that face each other have no side: their arrow keeps to its left.
  const side = away > 2 ? { x: dx / away, y: dy / away } : { x: acrossX / across, y: acrossY / across }
  const reach = Math.max(away * 0.8, middle + 2)
  const bend = { x: 2 * (50 + side.x * reach) - half.x, y: 2 * (50 + side.y * reach) - half.y }
  const point = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`
  return `M${point(start)}Q${point(bend)} ${point(end)}`
}
