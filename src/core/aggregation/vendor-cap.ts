/** No maker decides alone, however many of its models sit at the table. */

const cap = 1 / 3
export const largestFamily = 'a third'

interface Weight {
  readonly seat: string
  readonly weight: number
}

const total = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0)

/**
 * Families above a third of all weight are scaled down to a third. With fewer than three families that is impossible,
 * and each gets at most an equal part.
 */
export const cappedWeights = (
  weights: readonly Weight[],
  familyOf: (seat: string) => string,
): Map<string, number> => {
  const families = new Map<string, number>()
  for (const { seat, weight } of weights) {
    families.set(familyOf(seat), (families.get(familyOf(seat)) ?? 0) + weight)
  }
  const count = [...families.values()].filter(weight => weight > 0).length
  const most = Math.max(cap, 1 / Math.max(1, count))
  const held = new Set<string>()
  let allowed = Infinity
  for (;;) {
    const free = [...families].filter(([family]) => !held.has(family))
    const above = free.filter(([, weight]) => weight > allowedShare(free, most, held.size) + 1e-12)
    if (above.length === 0) break
    const [largest] = above.reduce((one, other) => (other[1] > one[1] ? other : one))
    held.add(largest)
    allowed = allowedShare(
      free.filter(([family]) => family !== largest),
      most,
      held.size,
    )
  }
  return new Map(
    weights.map(({ seat, weight }) => {
      const family = familyOf(seat)
      const factor = held.has(family) ? allowed / families.get(family)! : 1
      return [seat, weight * factor]
    }),
  )
}

/** The most that a family may have, if so many others are at the cap and these are below it. */
const allowedShare = (free: readonly (readonly [string, number])[], most: number, held: number): number => {
  const room = 1 - most * held
  return room <= 1e-12 ? Infinity : (most * total(free.map(([, weight]) => weight))) / room
}
