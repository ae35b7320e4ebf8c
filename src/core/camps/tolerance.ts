/** How far apart two numbers may be and still be no disagreement. */
import { median } from '../aggregation/number.ts'
import type { Round, Session } from '../log/state.ts'
import { lastPlace } from '../question/last-place.ts'
import { givenIn } from './camp.ts'

export type Tolerance =
  /** On a log scale: the larger number divided by the smaller one. */
  | { readonly by: 'factor'; readonly factor: number }
  /** A part of the larger number, as the asker gave it. */
  | { readonly by: 'share'; readonly share: number }
  /** In the unit. `given`: by the asker; otherwise numbers that differ only by rounding count as the same, too. */
  | { readonly by: 'amount'; readonly amount: number; readonly given: boolean }

/** Half an order of magnitude. */
const halfOrder = Math.sqrt(10)

/** From this version of the prompts on, numbers are grouped by a tolerance. Older rounds keep their camps. */
const firstVersion = 2

/** How far a number may be from the one that was rounded to it. */
const roundingOf = (value: number): number => lastPlace(value) / 2

/** Differences of decimal fractions are a little too large or too small. */
const reaches = (limit: number, distance: number): boolean => distance <= limit * (1 + 1e-9)

/** It depends on the two numbers alone, so nobody's camp changes because a neighbour moved. */
export const isWithin = (tolerance: Tolerance, one: number, other: number): boolean => {
  if (one === other) return true
  const distance = Math.abs(one - other)
  switch (tolerance.by) {
    case 'factor':
      return one > 0 && other > 0 && reaches(tolerance.factor, Math.max(one, other) / Math.min(one, other))
    case 'share':
      return reaches(tolerance.share * Math.max(Math.abs(one), Math.abs(other)), distance)
    case 'amount': {
      const { amount, given } = tolerance
      return reaches(given ? amount : Math.max(amount, roundingOf(one), roundingOf(other)), distance)
    }
    default:
      return tolerance satisfies never
  }
}

/**
 * Half of the range that the seats would still believe: the median over the first answers, so that it stays the same
 * for the whole session. Zero if fewer than half of the seats give a range.
 */
const believedIn = (session: Session): number => {
  const first =
    session.roundsSoFar.map(round => givenIn(session, round)).find(given => given.length > 0) ?? []
  const halves = first.flatMap(({ answer: { low, high } }) =>
    low === undefined || high === undefined ? [] : [(high - low) / 2],
  )
  return halves.length * 2 < first.length ? 0 : (median(halves) ?? 0)
}

/** Undefined if the question isn't a number, or the round was asked before numbers had a tolerance. */
export const toleranceIn = (session: Session, round: Round): Tolerance | undefined => {
  const { format, scale, tolerance } = session.question
  if (format !== 'number' || (round.prompts ?? 1) < firstVersion) return undefined
  if (typeof tolerance === 'number') return { by: 'amount', amount: tolerance, given: true }
  if (tolerance !== undefined) return { by: 'share', share: Number.parseFloat(tolerance) / 100 }
  if (scale === 'log') return { by: 'factor', factor: halfOrder }
  return { by: 'amount', amount: believedIn(session), given: false }
}
