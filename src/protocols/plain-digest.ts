/** The digest that code writes if no moderator did: each camp's headline, and how its first members argue. */
import { asLabelled, groupingOf } from '../core/camps/camps.ts'
import type { Digest } from '../core/log/event.ts'
import { answerIn, roundAt, type Session } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'
import { longestQuote, mostArguments, mostPositions, positionOf } from './digest-lines.ts'
import { digestBatches } from './large-table.ts'
import { wholeSentences } from './whole-sentences.ts'

export const plainDigest = (session: Session, round: number, batch?: number): Digest => {
  const current = roundAt(session, round)!
  const part = batch === undefined ? undefined : new Set(digestBatches(session, round)[batch])
  const camps = groupingOf(asLabelled(session), current).camps.flatMap(camp => {
    const seats = part ? camp.seats.filter(seat => part.has(seat)) : camp.seats
    return seats.length > 0 ? [{ position: positionOf(session, camp), seats }] : []
  })
  // Every position gets the same number of arguments: more for a larger camp would give away its size.
  const equal = Math.min(mostArguments, ...camps.map(camp => camp.seats.length))
  const positions = shuffled(camps, `${session.seed} plain digest ${round}`)
    .slice(0, mostPositions)
    .map(camp => ({
      position: camp.position,
      arguments: camp.seats.slice(0, equal).flatMap(seat => {
        const answer = answerIn(current, seat)
        return answer
          ? [{ seat, quote: wholeSentences(answer.reasoning || answer.headline, longestQuote) }]
          : []
      }),
    }))
  return { positions }
}
