/** What the group says as a whole: quartiles, shares, median ranks, and how far it moved between two rounds. */
import { median, quartilesOf } from '../aggregation/number.ts'
import { givenIn } from '../camps/camp.ts'
import { groupingOf } from '../camps/camps.ts'
import type { Round, Session } from '../log/state.ts'
import type { Figures } from './figures.ts'

const numbersIn = (session: Session, round: Round): number[] =>
  givenIn(session, round).flatMap(({ answer }) => answer.number ?? [])

/** The median rank of each option, the best first. */
const ranksIn = (session: Session, round: Round): { option: string; median: number }[] => {
  const rankings = givenIn(session, round).map(({ answer }) => answer.ranking ?? [])
  const ranks = session.question.options.map(option => ({
    option,
    median: median(rankings.map(ranking => ranking.indexOf(option) + 1)) ?? 0,
  }))
  return ranks.sort((one, other) => one.median - other.median)
}

/** The share of each camp among those who answered, the largest first. */
const sharesIn = (session: Session, round: Round): { position: string; share: number }[] => {
  const { camps } = groupingOf(session, round)
  const answered = givenIn(session, round).length
  return camps
    .map(({ label, seats }) => ({ position: label, share: seats.length / answered }))
    .sort((one, other) => other.share - one.share)
}

/** Undefined if nobody answered. */
export const statisticsOf = (session: Session, round: Round): Figures | undefined => {
  const { format, scale } = session.question
  if (givenIn(session, round).length === 0) return undefined
  switch (format) {
    case 'number': {
      const quartiles = quartilesOf(numbersIn(session, round), scale)
      return quartiles && { kind: 'quartiles', ...quartiles }
    }
    case 'ranking':
      return { kind: 'places', places: ranksIn(session, round) }
    case 'choice':
    case 'open':
    case 'text':
      return { kind: 'shares', shares: sharesIn(session, round) }
    default:
      return format satisfies never
  }
}

/** The Kolmogorov–Smirnov distance: the widest gap between two cumulative distributions. */
export const distanceBetween = (one: readonly number[], other: readonly number[]): number => {
  const upTo = (values: readonly number[], limit: number): number =>
    values.filter(value => value <= limit).length / Math.max(1, values.length)
  return Math.max(0, ...[...one, ...other].map(limit => Math.abs(upTo(one, limit) - upTo(other, limit))))
}

/** The part of the table, 0 to 1, that would have to move to turn one round into the other. */
export const shiftBetween = (session: Session, before: Round, after: Round): number => {
  if (session.question.format === 'number')
    return distanceBetween(numbersIn(session, before), numbersIn(session, after))
  const shares = [before, after].map(round => {
    const { camps } = groupingOf(session, round)
    return new Map(camps.map(({ id, seats }) => [id, seats.length / session.seats.length]))
  })
  const ids = new Set(shares.flatMap(share => [...share.keys()]))
  const gaps = [...ids].map(id => Math.abs((shares[0]?.get(id) ?? 0) - (shares[1]?.get(id) ?? 0)))
  return gaps.reduce((sum, gap) => sum + gap, 0) / 2
}

/** A middle half of fewer answers is hardly one: nobody is far from it, and seats read the numbers themselves. */
export const fewestForQuartiles = 5

/** Seats far from the group: they may know something that the others don't, or be wrong. */
export const outliersIn = (session: Session, round: Round): string[] => {
  const figures = statisticsOf(session, round)
  const given = givenIn(session, round)
  switch (figures?.kind) {
    case 'quartiles':
      if (given.length < fewestForQuartiles) return []
      return given
        .filter(({ answer }) => (answer.number ?? 0) < figures.low || (answer.number ?? 0) > figures.high)
        .map(({ seat }) => seat)
    case 'places': {
      const first = figures.places[0]?.option
      const last = session.question.options.length / 2
      return given
        .filter(({ answer }) => (answer.ranking ?? []).indexOf(first ?? '') >= last)
        .map(({ seat }) => seat)
    }
    case 'shares':
      return groupingOf(session, round)
        .camps.filter(camp => camp.seats.length * 4 < given.length)
        .flatMap(camp => camp.seats)
    default:
      return []
  }
}
