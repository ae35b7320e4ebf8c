/** The position flow: a column for each round, a block for each camp, a ribbon for each seat. Pure geometry. */

/** A block of a column, before it has a place. */
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
  readonly path: string
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

/** Seats of a block stand in the order in which they came, so that ribbons cross only where minds did. */
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

const ribbonPath = (x0: number, y0: number, x1: number, y1: number, thick: number): string => {
  const middle = (x0 + x1) / 2
  const [low0, low1] = [y0 + thick, y1 + thick]
  return (
    `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}V${low1}` +
    `C${middle} ${low1} ${middle} ${low0} ${x0} ${low0}Z`
  )
}

export const flowLayout = (columns: readonly (readonly Group[])[], size: FlowSize): FlowLayout => {
  const { width, height, blockWidth, gap } = size
  const placed = ordered(columns.map(groups => groups.filter(group => group.seats.length > 0)))
  const most = Math.max(1, ...placed.map(groups => groups.flatMap(group => group.seats).length))
  const gaps = Math.max(0, ...placed.map(groups => groups.length - 1)) * gap
  const unit = Math.max(1, (height - gaps) / most)
  const step = placed.length > 1 ? (width - blockWidth) / (placed.length - 1) : 0
  const places: Map<string, { y: number; key: string }>[] = []
  const blocks = placed.flatMap((groups, column) => {
    const here = new Map<string, { y: number; key: string }>()
    places.push(here)
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
  const ribbons = places.slice(1).flatMap((after, index) =>
    [...after].flatMap(([seat, to]): Ribbon[] => {
      const from = places[index]?.get(seat)
      if (!from) return []
      const path = ribbonPath(index * step + blockWidth, from.y, (index + 1) * step, to.y, unit)
      return [{ seat, from: from.key, to: to.key, path }]
    }),
  )
  return { blocks, ribbons }
}
