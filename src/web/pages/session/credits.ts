/** Where the words stand that changed a mind. */
import { quoteStands } from '../../../core/answer.ts'
import type { Flip } from '../../../core/moves.ts'
import { answerIn, type Session } from '../../../core/state.ts'

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
