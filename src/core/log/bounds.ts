/** How large a session can get. An import can't be larger, or it would cost more than any session that ran here. */
import { z } from 'zod'

export const mostSeats = 200
export const mostRounds = 4

/** The highest index of a round. The built-in protocols stay below it, and so should others. */
export const lastRound = 20
/** More turns or batches than this no protocol has. Places in lists follow from them, so they must be small. */
export const lastPlace = 200
/** 200 seats in five rounds take about 10,000 events; the rest is for seats that are asked again. */
export const mostEvents = 20_000
/** Seats or models that something is said of. */
export const mostNames = 1_000
/** Comparisons of headlines in one round, and in one call. */
export const mostChecks = 5_000
export const mostPairs = 200

/** Characters of a text that a model wrote. */
export const longestText = 1_000_000
/** Characters of a name, an id or a code. */
export const longestName = 2_000
/** Tokens, dollars or milliseconds. */
export const largestAmount = 1e12
/** Seconds. A timer takes at most 2^31 - 1 milliseconds: with more, it would fire at once. */
export const longestDeadline = 2_147_483
/** How many times as long as the others a seat may take at most: with more, no seat would ever be too slow. */
export const mostPatience = 100

/** A name, an id or a code, and a text that a model wrote, as events hold them. */
export const boundedName = z.string().max(longestName)
export const boundedText = z.string().max(longestText)
export const boundedByName = <Value extends z.ZodType>(value: Value) =>
  z
    .record(boundedName, value)
    .refine(entries => Object.keys(entries).length <= mostNames, `it has more than ${mostNames} entries`)
