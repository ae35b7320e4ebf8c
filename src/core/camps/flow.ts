/** The position flow: a column for each round, a block for each camp, a ribbon for each seat. Pure geometry. */

import type { Session } from '../log/state.ts'
import { absenceOf, type CampNumbers, standingsIn } from './standings.ts'

/** A block of a column, before the layout. */
export interface Group {
  readonly key: string
  readonly seats: readonly string[]
}

export interface FlowBlock {
  readonly key: string
  readonly column: number
  readonly x: number
  readonly y: number
  readonly height: number
  readonly seats: readonly string[]
}

export interface Ribbon {
  readonly seat: string
  /** Keys of the blocks that it leads from and to. */
  readonly from: string
  readonly to: string
  /** Its upper edge at both ends, and how thick it is. */
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly thick: number
}

export interface FlowLayout {
  readonly blocks: readonly FlowBlock[]
  readonly ribbons: readonly Ribbon[]
}

export interface FlowSize {
  readonly width: number
  readonly height: number
  readonly blockWidth: number
  readonly gap: number
}

/** The blocks of a round: camps by number, then the seats without a camp. */
export const groupsOf = (session: Session, numbers: CampNumbers): Group[][] =>
  session.roundsSoFar.map(round => {
    const byKey = new Map<string, string[]>()
    for (const standing of standingsIn(session, round, numbers)) {
      const key =
        standing.number === undefined ? (absenceOf(standing) ?? 'ungrouped') : String(standing.number)
      byKey.set(key, [...(byKey.get(key) ?? []), standing.seat.id])
    }
    const rank = (key: string): number => (/^\d/.test(key) ? Number(key) : 1_000 + key.length)
    return [...byKey]
      .toSorted(([one], [other]) => rank(one) - rank(other))
      .map(([key, seats]) => ({ key, seats }))
  })

/** The number of the camp, if the block is one. */
export const numberOf = (key: string): number | undefined => (/^\d/.test(key) ? Number(key) : undefined)

/** Seats keep their order from column to column, so that ribbons cross only if a seat changed its mind. */
const ordered = (columns: readonly (readonly Group[])[]): Group[][] => {
  const result: Group[][] = []
  for (const groups of columns) {
    const before = (result.at(-1) ?? columns[1] ?? []).flatMap(group => group.seats)
    const rank = new Map(before.map((seat, index) => [seat, index]))
    const at = (seat: string): number => rank.get(seat) ?? before.length
    result.push(groups.map(group => ({ ...group, seats: group.seats.toSorted((a, b) => at(a) - at(b)) })))
  }
  return result
}

export const flowLayout = (columns: readonly (readonly Group[])[], size: FlowSize): FlowLayout => {
  const { width, height, blockWidth, gap } = size
  const placed = ordered(columns.map(groups => groups.filter(group => group.seats.length > 0)))
  const most = Math.max(1, ...placed.map(groups => groups.flatMap(group => group.seats).length))
  const gaps = Math.max(0, ...placed.map(groups => groups.length - 1)) * gap
  const unit = Math.max(1, (height - gaps) / most)
  const step = placed.length > 1 ? (width - blockWidth) / (placed.length - 1) : 0
  const ends: Map<string, { y: number; key: string }>[] = []
  const blocks = placed.flatMap((groups, column) => {
    const here = new Map<string, { y: number; key: string }>()
    ends.push(here)
    const used = groups.flatMap(group => group.seats).length * unit + Math.max(0, groups.length - 1) * gap
    let y = Math.max(0, (height - used) / 2)
    return groups.map(group => {
      const block = { ...group, column, x: column * step, y, height: group.seats.length * unit }
      for (const [index, seat] of group.seats.entries())
        here.set(seat, { y: y + index * unit, key: group.key })
      y += block.height + gap
      return block
    })
  })
  const ribbons = ends.slice(1).flatMap((after, index) =>
    [...after].flatMap(([seat, to]): Ribbon[] => {
      const from = ends[index]?.get(seat)
      if (!from) return []
      const [x0, x1] = [index * step + blockWidth, (index + 1) * step]
      return [{ seat, from: from.key, to: to.key, x0, y0: from.y, x1, y1: to.y, thick: unit }]
    }),
  )
  return { blocks, ribbons }
}
