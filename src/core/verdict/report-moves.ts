/** Who moved, and by whose words: changes of mind, and points that a seat granted while its answer stood. */
import { answerIn, type Session } from '../log/state.ts'
import { type Credit, decisionOf, type Reason } from '../question/answer.ts'
import { verdictOf } from './verdict.ts'

/** A seat that conceded a point or narrowed its answer, and stayed in its camp. */
export interface Grant {
  readonly seat: string
  readonly round: number
  readonly decision: 'conceded' | 'narrowed'
  readonly credit: Credit | null
  readonly reason: Reason | null
}

/** Every grant of the rounds that count, in order of rounds and seats. */
export const grantsOf = (session: Session): Grant[] => {
  const { ledger, final } = verdictOf(session)
  return session.roundsSoFar
    .filter(({ index, sealed }) => !sealed && index <= (final?.round ?? -1))
    .flatMap(round =>
      session.seats.flatMap(({ id }): Grant[] => {
        const answer = answerIn(round, id)
        const decision = answer && decisionOf(answer)
        const flipped = ledger.some(flip => flip.round === round.index && flip.seat === id)
        if (flipped || (decision !== 'conceded' && decision !== 'narrowed')) return []
        return [
          {
            seat: id,
            round: round.index,
            decision,
            credit: answer?.credit ?? null,
            reason: answer?.reason ?? null,
          },
        ]
      }),
    )
}

/** Seats that moved or granted something, with those whose words did it and are where they should be. */
export const movedBy = (session: Session): Moves => {
  const known = remembered.get(session) ?? countedMoves(session)
  remembered.set(session, known)
  return known
}

type Moves = ReadonlyMap<string, ReadonlySet<string>>
const remembered = new WeakMap<Session, Moves>()

const countedMoves = (session: Session): Moves => {
  const moved = new Map<string, Set<string>>()
  for (const { seat, credit } of [...verdictOf(session).ledger, ...grantsOf(session)]) {
    const by = moved.get(seat) ?? new Set<string>()
    moved.set(seat, credit?.verified ? by.add(credit.seat) : by)
  }
  return moved
}
