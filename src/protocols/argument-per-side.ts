/** One argument for each side of the group, in its author's words. Seats read these together with figures. */

import { quartilesOf } from '../core/aggregation/number.ts'
import { givenIn } from '../core/camps/camp.ts'
import { groupingOf } from '../core/camps/camps.ts'
import type { Digest } from '../core/log/event.ts'
import { answerIn, type Round, type Session, seatOf } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'
import { maskFor } from '../core/wording/mask.ts'
import { numberText } from '../core/wording/values.ts'
import { firstSentence, mostPositions, positionText } from './digest-lines.ts'

interface Side {
  readonly position: string
  readonly seats: readonly string[]
}

const numberSides = (session: Session, round: Round): Side[] => {
  const { unit, scale } = session.question
  const given = givenIn(session, round).map(({ seat, answer }) => ({ seat, number: answer.number ?? 0 }))
  const quartiles = quartilesOf(
    given.map(({ number }) => number),
    scale,
  )
  if (!quartiles) return []
  const { low, high } = quartiles
  const held = (fits: (number: number) => boolean): string[] =>
    given.filter(({ number }) => fits(number)).map(({ seat }) => seat)
  return [
    { position: `below ${numberText(low, unit)}`, seats: held(number => number < low) },
    { position: 'in the middle half', seats: held(number => number >= low && number <= high) },
    { position: `above ${numberText(high, unit)}`, seats: held(number => number > high) },
  ]
}

const rankingSides = (session: Session, round: Round): Side[] => {
  const byFirst = Map.groupBy(givenIn(session, round), ({ answer }) => answer.ranking?.[0] ?? '')
  return [...byFirst].map(([option, given]) => ({
    position: `${option} first`,
    seats: given.map(({ seat }) => seat),
  }))
}

const sidesIn = (session: Session, round: Round): Side[] => {
  const { format } = session.question
  if (format === 'number') return numberSides(session, round)
  if (format === 'ranking') return rankingSides(session, round)
  return groupingOf(session, round).camps.map(({ label, seats }) => ({ position: label, seats }))
}

/** One argument for each side, whatever its size. If there are many sides, the largest ones. */
export const argumentsOf = (session: Session, round: Round): Digest['positions'] =>
  sidesIn(session, round)
    .filter(side => side.seats.length > 0)
    .sort((one, other) => other.seats.length - one.seats.length)
    .slice(0, mostPositions)
    .map(({ position, seats }) => {
      const [seat = ''] = shuffled(seats, `${session.seed} side ${round.index} ${position}`)
      const answer = answerIn(round, seat)
      const quote = firstSentence(answer?.reasoning || answer?.headline || '')
      return { position, arguments: [{ seat, quote }] }
    })

/** The sides as lines for a prompt, each with what `more` adds to it. */
export const sideLines = (
  session: Session,
  digest: Digest | undefined,
  more: (position: string) => object = () => ({}),
): string[] => {
  const mask = maskFor(session)
  return (digest?.positions ?? []).map(({ position, arguments: [argument] }) =>
    JSON.stringify({
      position: positionText(session, position),
      ...more(position),
      ...(argument && { seat: seatOf(session, argument.seat).alias, argument: mask(argument.quote) }),
    }),
  )
}
