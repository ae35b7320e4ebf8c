/**
 * Seats whose camp changed from one round to the next. Positions are put together anew in each round, so the seat's own two
 * headlines decide whether it changed its mind: if they say the same, only the grouping changed around it.
 */
import { answerIn, checkKey, type Round, roundBefore, type Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import type { Camp, Grouped, PendingCheck } from './camp.ts'

/** The seat's headline of this round, and the answer that it is compared with. */
export const ownPair = (seat: string, last: Round): PendingCheck => ({
  seat,
  exemplar: `${seat}@${last.index}`,
})

const campIn = (camps: readonly Camp[], seat: string): string | undefined =>
  camps.find(({ seats }) => seats.includes(seat))?.id

/** The pairs of a seat's own headlines that nobody has compared yet. */
export const regroupedIn = (
  session: Session,
  round: Round,
  camps: readonly Camp[],
  earlier: readonly Grouped[],
): PendingCheck[] =>
  camps.flatMap(({ id, seats }) =>
    seats.flatMap(seat => {
      const last = roundBefore(session, round.index, seat)
      const before = earlier.find(one => one.round.index === last?.index)
      if (!last || !before || campIn(before.camps, seat) === id) return []
      const [was, is] = [last, round].map(one => normalised(answerIn(one, seat)?.headline ?? ''))
      const pair = ownPair(seat, last)
      return was === is || round.checks[checkKey(pair.seat, pair.exemplar)] !== undefined ? [] : [pair]
    }),
  )

/** Whether the seat still says what it said; undefined while that is being asked. */
export const saysTheSame = (
  round: Round,
  last: Round,
  seat: string,
  open: readonly PendingCheck[],
): boolean | undefined => {
  const pair = ownPair(seat, last)
  const key = checkKey(pair.seat, pair.exemplar)
  const isOpen = open.some(one => one.seat === seat && one.exemplar === pair.exemplar)
  if (isOpen && !round.missedChecks?.includes(key)) return undefined
  const relation = round.checks[key]
  return relation === 'same' || relation === 'same with a caveat'
}
