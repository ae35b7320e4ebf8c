/** One value for the table where the format has one: a combined ranking, a median. */

/** The middle value; on a log scale the geometric middle of two. */
export const median = (values: readonly number[], scale: 'linear' | 'log' = 'linear'): number | undefined => {
  const sorted = [...values].sort((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) return undefined
  if (upper === lower) return upper
  return scale === 'log' && lower > 0
    ? Number((Math.sqrt(lower) * Math.sqrt(upper)).toPrecision(6))
    : lower / 2 + upper / 2
}

/**
 * Schulze's method: items ordered by their strongest paths of pairwise wins.
 * Ties keep the order of the options.
 */
export const combinedRanking = (
  options: readonly string[],
  rankings: readonly (readonly string[])[],
): string[] => {
  const places = rankings.map(ranking => new Map(ranking.map((item, place) => [item, place])))
  const prefer = (one: string, other: string): number =>
    places.filter(place => (place.get(one) ?? Infinity) < (place.get(other) ?? Infinity)).length
  const strength = options.map(one =>
    options.map(other => (prefer(one, other) > prefer(other, one) ? prefer(one, other) : 0)),
  )
  const at = (one: number, other: number): number => strength[one]?.[other] ?? 0
  for (const through of options.keys()) {
    for (const one of options.keys()) {
      for (const other of options.keys()) {
        if (one === other) continue
        strength[one]![other] = Math.max(at(one, other), Math.min(at(one, through), at(through, other)))
      }
    }
  }
  const wins = options.map(
    (_, one) => [...options.keys()].filter(other => at(one, other) > at(other, one)).length,
  )
  return [...options.keys()]
    .sort((one, other) => wins[other]! - wins[one]! || one - other)
    .map(index => options[index]!)
}
