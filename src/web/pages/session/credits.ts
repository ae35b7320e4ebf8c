/** Whose words moved whom, and where those words stand. */
import { quoteStands } from '../../../core/answer.ts'
import { type Flip, flipsOf } from '../../../core/moves.ts'
import { answerIn, type Session } from '../../../core/state.ts'

export interface Influence {
  readonly from: string
  readonly to: string
  readonly round: number
  /** The quoted words stand in the peer's answer. */
  readonly verified: boolean
}

/** Changes of mind up to a round that name somebody's words. */
export const influences = (session: Session, upTo = Number.POSITIVE_INFINITY): Influence[] =>
  flipsOf(session).flatMap(({ seat, round, credit }) =>
    credit && round <= upTo ? [{ from: credit.seat, to: seat, round, verified: credit.verified }] : [],
  )

/** The latest earlier round in which the peer wrote the words; else the latest in which it wrote at all. */
export const roundOfQuote = (session: Session, flip: Pick<Flip, 'round' | 'credit'>): number | undefined => {
  const { credit } = flip
  if (!credit) return undefined
  const earlier = session.roundsSoFar.filter(
    round => round.index < flip.round && answerIn(round, credit.seat) !== undefined,
  )
  const quoted = earlier.findLast(round => {
    const answer = answerIn(round, credit.seat)
    return answer && quoteStands(credit.quote, [answer.headline, answer.reasoning])
  })
  return (quoted ?? earlier.at(-1))?.index
}
