/** The shapes that pages and pictures share: ribbons of the flow, and places around the table. */
import type { Round, Session } from '../core/session.ts'
import { type Group, numberOf, type Ribbon } from '../count/moves.ts'
import type { Level } from '../count/tally.ts'
import { shownRound } from '../count/verdict.ts'
import { rounded } from './camp-patterns.ts'
import { roundLabel } from './moves.ts'

export const ribbonPath = ({ x0, y0, x1, y1, thick }: Ribbon): string => {
  const middle = rounded((x0 + x1) / 2)
  const [from, to, low0, low1] = [y0, y1, y0 + thick, y1 + thick].map(rounded)
  return (
    `M${rounded(x0)} ${from}C${middle} ${from} ${middle} ${to} ${rounded(x1)} ${to}V${low1}` +
    `C${middle} ${low1} ${middle} ${low0} ${rounded(x0)} ${low0}Z`
  )
}

/** The name of a column: a round that came after the counted one is marked, since what moved in it isn't in the verdict. */
export const columnLabel = (session: Session, round: Round): string =>
  round.index > (shownRound(session)?.index ?? round.index)
    ? `${roundLabel(round)}, not counted`
    : roundLabel(round)

/** The same in words, for those who do not see it. */
export const flowWords = (session: Session, columns: readonly (readonly Group[])[]): string =>
  session.roundsSoFar
    .map((round, index) => {
      const parts = (columns[index] ?? []).map(({ key, seats }) => {
        const number = numberOf(key)
        return `${seats.length} ${number === undefined ? key : `in camp ${number + 1}`}`
      })
      return `${columnLabel(session, round)}: ${parts.join(', ')}`
    })
    .join('. ')

// levelColour: The colour of a level, which is no camp's.

export const levelColour = (level: Level): string =>
  `var(--level-${level === 'unanimous-with-caveats' ? 'unanimous' : level})`

// tableLayout: Where seats stand around the drawn table, and how arrows run between them: in hundredths of the drawing.

export interface Place {
  readonly x: number
  readonly y: number
}

export interface TableLayout {
  readonly points: readonly Place[]
  /** The diameter of a seat. */
  readonly size: number
  /** Of the table itself. */
  readonly radius: number
  /** There is room for names. */
  readonly named: boolean
}

/** With more seats, names would overlap; then they are shown on hover, in the list, and to screen readers. */
const mostNamed = 10
/** On a phone, a smaller seat couldn't be hit with a finger. */
const smallest = 7.2
const largest = 13.5
/** The count in the middle needs its room. */
const innermost = 25

/** The first seat at the top. */
const pointOf = (index: number, of: number, radius: number): Place => {
  const angle = (index / of) * 2 * Math.PI - Math.PI / 2
  return { x: 50 + radius * Math.cos(angle), y: 50 + radius * Math.sin(angle) }
}

const roomOn = (radius: number, size: number): number => Math.floor((2 * Math.PI * radius) / (size * 1.08))

/** The radii of the rings that a large table needs, the outermost first. */
const ringsFor = (count: number, size: number): number[] => {
  const rings: number[] = []
  let room = 0
  for (let radius = 46; radius >= innermost && room < count; radius -= size * 1.12) {
    rings.push(radius)
    room += roomOn(radius, size)
  }
  return rings
}

/** Seats on each ring, in proportion to its length: every stretch of the circle belongs to neighbours in the list. */
const onRings = (count: number, rings: readonly number[]): Place[] => {
  const whole = rings.reduce((sum, radius) => sum + radius, 0)
  const shares = rings.map(radius => Math.floor((radius / whole) * count))
  const first = count - shares.slice(1).reduce((sum, share) => sum + share, 0)
  const places = rings.flatMap((radius, ring) => {
    const of = ring === 0 ? first : (shares[ring] ?? 0)
    return Array.from({ length: of }, (_, index) => ({ turn: index / of, ...pointOf(index, of, radius) }))
  })
  return places.toSorted((one, other) => one.turn - other.turn)
}

export const tableLayout = (count: number): TableLayout => {
  if (count <= mostNamed) {
    const points = Array.from({ length: count }, (_, index) => pointOf(index, count, 35))
    return { points, size: largest, radius: 25.5, named: true }
  }
  const one = Math.min(largest, (2 * Math.PI * 43 * 0.82) / count)
  const size = Math.max(one, smallest)
  const rings = one >= smallest ? [43] : ringsFor(count, size)
  const fits = rings.reduce((sum, radius) => sum + roomOn(radius, size), 0)
  return {
    points: onRings(count, rings),
    size: fits < count ? (size * fits) / count : size,
    radius: (rings.at(-1) ?? 43) - size / 2 - 3,
    named: false,
  }
}

/** How much of its share of the edge a seat's stretch takes: the gaps let one count them. */
const stretch = 0.94

/** The table's edge before some of its seats: a stretch for each, so that who agrees can be seen. */
export const edgeBefore = (places: readonly Place[], seats: number, radius: number): string => {
  const half = (Math.PI / seats) * stretch
  const at = (angle: number): string =>
    `${Number((50 + radius * Math.cos(angle)).toFixed(2))} ${Number((50 + radius * Math.sin(angle)).toFixed(2))}`
  return places
    .map(({ x, y }) => {
      const angle = Math.atan2(y - 50, x - 50)
      return `M${at(angle - half)}A${radius} ${radius} 0 ${half > Math.PI / 2 ? 1 : 0} 1 ${at(angle + half)}`
    })
    .join('')
}

/** So much of the middle is the count's. */
const middle = 17

/** From seat to seat, short of both, and around the count in the middle. */
export const arrowPath = (from: Place, to: Place): string => {
  const toCentre = ({ x, y }: Place, share: number): Place => ({
    x: x + (50 - x) * share,
    y: y + (50 - y) * share,
  })
  const [start, end] = [toCentre(from, 0.3), toCentre(to, 0.33)]
  const [x, y] = [(start.x + end.x) / 2 - 50, (start.y + end.y) / 2 - 50]
  const distance = Math.hypot(x, y)
  // Between seats that face each other, either side will do.
  const [dx, dy] =
    distance < 1
      ? [
          (start.y - end.y) / Math.hypot(start.x - end.x, start.y - end.y),
          (end.x - start.x) / Math.hypot(start.x - end.x, start.y - end.y),
        ]
      : [x / distance, y / distance]
  const far = Math.max(distance, 2 * middle - distance)
  const at = (value: number): number => Number(value.toFixed(2))
  return `M${at(start.x)} ${at(start.y)}Q${at(50 + dx * far)} ${at(50 + dy * far)} ${at(end.x)} ${at(end.y)}`
}
