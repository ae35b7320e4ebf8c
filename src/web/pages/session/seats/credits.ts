/** Finds the round in which words were written that changed a mind. */
import type { Flip } from '../../../../core/camps/moves.ts'
import { answerIn, type Session } from '../../../../core/log/state.ts'
import { quoteStands } from '../../../../core/question/answer.ts'

/** The latest earlier round in which the peer wrote the words; else the latest in which it wrote at all. */
export const roundOfQuote = (session: Session, flip: Pick<Flip, 'round' | 'credit'>): number | undefined => {
  const { credit } = flip
  if (!credit) return undefined
  const earlier = session.roundsSoFar.filter(
    round => round.index < flip.round && answerIn(round, credit.seat) !== undefined,
  )
  const quoted = earlier.findLast(round => {
    const answer = answerIn(round, credit.seat)
    return answer && quoteStands(credit.quote, [answer.headline, answer.reasoning, answer.text ?? ''])
  })
  return (quoted ?? earlier.at(-1))?.index
}
