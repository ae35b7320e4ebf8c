/** The Schulze method: items ordered by their strongest paths of pairwise wins. */
import type { Rule } from './rule.ts'

type Ranking = readonly string[]

/** How many rankings put one item before another. An item that isn't ranked comes after all that are. */
const preferences = (options: readonly string[], rankings: readonly Ranking[]): number[][] => {
  const ranks = rankings.map(ranking => new Map(ranking.map((item, rank) => [item, rank])))
  return options.map(one =>
    options.map(
      other => ranks.filter(rank => (rank.get(one) ?? Infinity) < (rank.get(other) ?? Infinity)).length,
    ),
  )
}

const strongestPaths = (prefer: readonly (readonly number[])[]): number[][] => {
  const strength = prefer.map((row, one) =>
    row.map((count, other) => (count > prefer[other]![one]! ? count : 0)),
  )
  for (const through of strength.keys()) {
    for (const one of strength.keys()) {
      for (const other of strength.keys()) {
        if (one === other) continue
        const detour = Math.min(strength[one]![through]!, strength[through]![other]!)
        strength[one]![other] = Math.max(strength[one]![other]!, detour)
      }
    }
  }
  return strength
}

/** Ties keep the order of the options. */
export const combinedRanking = (options: readonly string[], rankings: readonly Ranking[]): string[] => {
  const wins = winsOf(options, rankings)
  return [...options.keys()]
    .sort((one, other) => wins[other]! - wins[one]! || one - other)
    .map(index => options[index]!)
}

const winsOf = (options: readonly string[], rankings: readonly Ranking[]): number[] => {
  const strength = strongestPaths(preferences(options, rankings))
  return strength.map((row, one) => row.filter((path, other) => path > strength[other]![one]!).length)
}

/** Items that beat each other in a circle: no order of them has a majority everywhere. */
export const cycleIn = (options: readonly string[], rankings: readonly Ranking[]): string[] => {
  const prefer = preferences(options, rankings)
  const reach = strongestPaths(prefer)
  const inCycle = [...options.keys()].filter(one =>
    [...options.keys()].some(other => other !== one && reach[one]![other]! > 0 && reach[other]![one]! > 0),
  )
  return inCycle.map(index => options[index]!)
}

export const schulze = (): Rule<Ranking> => ({
  id: 'schulze',
  label: 'Schulze',
  summary: 'Items ordered by their strongest paths of pairwise wins; cycles are reported.',
  decide(votes, { options }) {
    const rankings = votes.map(vote => vote.value)
    const wins = winsOf(options, rankings)
    const best = Math.max(...wins)
    const tied = options.filter((_, index) => wins[index] === best)
    const cycle = cycleIn(options, rankings)
    return {
      value: votes.length === 0 || tied.length > 1 ? null : combinedRanking(options, rankings),
      tied: votes.length > 0 && tied.length > 1 ? tied : [],
      scores: Object.fromEntries(options.map((option, index) => [option, wins[index]!])),
      notes: cycle.length > 0 ? [`A cycle: ${cycle.join(', ')} beat each other in a circle.`] : [],
    }
  },
})
