/** An aggregation rule turns the votes on one question into one decision, and calls a tie a tie. */
import { lastPlace } from './basics.ts'

/** One seat's vote on one question. A seat without a vote isn't in the list. */
export interface Vote<Value = string> {
  readonly seat: string
  /** The vote of the last round. */
  readonly value: Value
  /** 0 to 1, as given in the sealed round. Later confidence rises with every round and never counts. */
  readonly sealedConfidence?: number
  /** The votes of all rounds, the sealed one first. Null if the seat gave none. */
  readonly rounds?: readonly (Value | null)[]
}

export interface Context {
  /** All options in their order, for a choice or a ranking. */
  readonly options: readonly string[]
}

export interface Decision<Value = string> {
  /** Null in a tie, and if nobody voted. */
  readonly value: Value | null
  /** The options that the rule can't decide between: at least two, or none. */
  readonly tied: readonly string[]
  /** What each option scored, in the rule's own unit. */
  readonly scores: Readonly<Record<string, number>>
  /** What else a reader should know: a cycle, values that were left out. */
  readonly notes: readonly string[]
}

/** `decide` is pure, never throws, and ignores the order of the votes. */
export interface Rule<Value = string> {
  readonly id: string
  readonly label: string
  /** One plain sentence. */
  readonly summary: string
  decide(votes: readonly Vote<Value>[], context: Context): Decision<Value>
}

// scores: Turns the scores of options into a decision.

/** Sums that differ by less are equal, or the order of additions could break a tie. */
const precision = 1e-9

/** The option with the highest score, or a tie between all that share it. */
export const highest = (scores: ReadonlyMap<string, number>, context: Context): Decision => {
  const best = Math.max(...scores.values())
  const first = [...scores.keys()].filter(option => scores.get(option)! >= best - precision)
  const rank = (option: string): number => {
    const index = context.options.indexOf(option)
    return index < 0 ? context.options.length : index
  }
  const inOrder = first.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
  return {
    value: inOrder.length === 1 ? inOrder[0]! : null,
    tied: inOrder.length > 1 ? inOrder : [],
    scores: Object.fromEntries(scores),
    notes: [],
  }
}

/** Adds up votes, each with its weight. If no vote has any weight, all count the same. */
export const weighted = (
  votes: readonly Vote[],
  context: Context,
  weightOf: (vote: Vote) => number,
): Decision => {
  const weights = votes.map(weightOf)
  const none = weights.every(weight => weight <= 0)
  const scores = new Map<string, number>()
  for (const [index, { value }] of votes.entries()) {
    scores.set(value, (scores.get(value) ?? 0) + (none ? 1 : Math.max(0, weights[index]!)))
  }
  return highest(scores, context)
}

// number: One number for the table: the median.

/** The middle value. On a log scale, the geometric mean of the middle two. */
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

export interface Quartiles {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** The medians of the lower half, of all values, and of the upper half. A middle value belongs to both halves. */
export const quartilesOf = (values: readonly number[], scale: 'linear' | 'log'): Quartiles | undefined => {
  const sorted = [...values].sort((one, other) => one - other)
  const half = Math.ceil(sorted.length / 2)
  const middle = median(sorted, scale)
  if (middle === undefined) return undefined
  return {
    low: median(sorted.slice(0, half), scale) ?? middle,
    median: middle,
    high: median(sorted.slice(-half), scale) ?? middle,
  }
}

// figure: The number that a table gives as its answer: no more digits than the spread of the answers supports.

export interface Figure {
  /** The median, rounded. */
  readonly about: number
  /** To a multiple of this. Zero: it isn't rounded, because the answers are the same. */
  readonly step: number
  /** Where most answers lie. */
  readonly low: number
  readonly high: number
  /** With few answers, all of them; otherwise the middle half. */
  readonly range: 'all' | 'middle half'
}

/** From so many answers on, a few of them don't stretch the range. */
const enoughForHalf = 5

/** The largest of …, 0.5, 1, 5, 10, 50, … that isn't above the limit. */
const niceStep = (limit: number): number => {
  const power = 10 ** Math.floor(Math.log10(limit))
  return limit >= 5 * power ? 5 * power : power
}

/**
 * Half of the spread decides the step. It isn't finer than the answers themselves, and never so coarse that
 * the median moves by more than a twentieth: 120 isn't "about 100".
 */
const stepFor = (values: readonly number[], middle: number, spread: number): number => {
  if (spread === 0) return 0
  const finest = Math.min(...values.filter(value => value !== 0).map(lastPlace))
  const coarsest = middle === 0 ? Infinity : niceStep(Math.abs(middle) / 10)
  return Math.min(Math.max(niceStep(spread / 2), finest), Math.max(coarsest, finest))
}

export const roundedTo = (step: number, value: number): number =>
  step === 0 ? value : Number((Math.round(value / step) * step).toPrecision(12))

/** The end of a range, rounded. What isn't zero doesn't become zero. */
const endRounded = (step: number, value: number): number =>
  roundedTo(step, value) || Number(value.toPrecision(1))

/** The figures of a group with no more digits than its middle half supports. */
export const roundedQuartiles = ({ low, median: middle, high }: Quartiles): Quartiles => {
  const step = stepFor([low, middle, high], middle, high - low)
  return { low: endRounded(step, low), median: roundedTo(step, middle), high: endRounded(step, high) }
}

/** Undefined if there are no values. */
export const figureOf = (values: readonly number[], scale: 'linear' | 'log'): Figure | undefined => {
  const middle = median(values, scale)
  const quartiles = quartilesOf(values, scale)
  if (middle === undefined || !quartiles) return undefined
  const whole = values.length < enoughForHalf
  const [low, high] = whole ? [Math.min(...values), Math.max(...values)] : [quartiles.low, quartiles.high]
  const step = stepFor(values, middle, high - low)
  return {
    about: roundedTo(step, middle),
    step,
    low: whole ? low : endRounded(step, low),
    high: whole ? high : endRounded(step, high),
    range: whole ? 'all' : 'middle half',
  }
}

// majority: The plain vote: most votes win, a tie is called a tie.

export const majority = (): Rule => ({
  id: 'majority',
  label: 'Majority',
  summary: 'The option with the most votes; a tie is called a tie.',
  decide: (votes, context) => weighted(votes, context, () => 1),
})

// schulze: The Schulze method: items ordered by their strongest paths of pairwise wins.

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

/** What rankings come to together. */
export interface CombinedRanking {
  /** From first to last. Items that share a place are equal, in an order that says nothing. */
  readonly places: readonly Ranking[]
  /** Items that beat each other in a circle: no order of them has a majority everywhere. */
  readonly cycles: readonly Ranking[]
}

/** Names in an order that doesn't depend on how the options were typed. */
const byName = (items: readonly string[]): string[] => items.toSorted((one, other) => (one < other ? -1 : 1))

/** Undefined if nobody ranked anything: code makes no order of its own. */
export const combinedRanking = (
  options: readonly string[],
  rankings: readonly Ranking[],
): CombinedRanking | undefined => {
  const given = rankings.filter(ranking => ranking.length > 0)
  if (given.length === 0) return undefined
  const items = byName(options)
  const paths = strongestPaths(preferences(items, given))
  const path = (one: number, other: number): number => paths[one]![other]!
  const named = (places: readonly (readonly number[])[]): string[][] =>
    places.map(place => place.map(index => items[index]!))

  const places: number[][] = []
  let left = [...items.keys()]
  while (left.length > 0) {
    // Nothing that is left beats them. They don't beat each other either, so they are equal.
    const unbeaten = left.filter(one => left.every(other => path(other, one) <= path(one, other)))
    places.push(unbeaten)
    left = left.filter(one => !unbeaten.includes(one))
  }
  const circles = [...items.keys()].map(one =>
    [...items.keys()].filter(other => other === one || (path(one, other) > 0 && path(other, one) > 0)),
  )
  const cycles = circles.filter((circle, one) => circle.length > 1 && circle[0] === one)
  return { places: named(places), cycles: named(cycles) }
}

/** The one item in the first place. Undefined if several share it. */
export const firstOf = ({ places: [first = [], ..._rest] }: CombinedRanking): string | undefined =>
  first.length === 1 ? first[0] : undefined

/** "A > B = C" */
export const orderText = ({ places }: CombinedRanking): string =>
  places.map(place => place.join(' = ')).join(' > ')

// vendorCap: No maker decides alone, however many of its models sit at the table.

const cap = 1 / 3
const largestFamily = 'a third'

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

// logOdds: Weights from a track record: how much a seat's vote is worth as evidence.

/** A seat starts as if it had been right in 8 of 10 questions, so that three lucky answers don't rule the table. */
const prior = { right: 8, of: 10 }

/** How many questions with a known answer a seat answered, and how many of them correctly. */
export interface Score {
  readonly right: number
  readonly of: number
}

export const shrunkAccuracy = ({ right, of }: Score): number => (right + prior.right) / (of + prior.of)

/** w = log(p(K−1)/(1−p)): zero for a seat that guesses, and never negative. */
export const logOddsWeight = (accuracy: number, options: number): number =>
  Math.max(0, Math.log((accuracy * (Math.max(2, options) - 1)) / (1 - accuracy)))

/** Weighs votes by known accuracies. A seat without one gets the prior. */
export const logOddsOf = (
  accuracies: ReadonlyMap<string, number>,
  options: number,
  familyOf: (seat: string) => string,
): Rule => {
  const unknown = shrunkAccuracy({ right: 0, of: 0 })
  return {
    id: 'log-odds',
    label: 'Log-odds weights',
    summary: `A vote weighs log(p(K−1)/(1−p)), p from labelled questions; one maker has at most ${largestFamily}.`,
    decide(votes, context) {
      const given = votes.map(({ seat }) => ({
        seat,
        weight: logOddsWeight(accuracies.get(seat) ?? unknown, options),
      }))
      const capped = cappedWeights(given, familyOf)
      return weighted(votes, context, vote => capped.get(vote.seat) ?? 0)
    },
  }
}
