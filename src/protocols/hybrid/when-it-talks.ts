/** When the table talks at all, for the estimate. */
import { isVoteOnFact, kindOf } from '../../core/question/kind.ts'
import type { OpeningFacts } from '../protocol.ts'

/** "If at least 80% agree in the sealed vote, no open rounds follow, unless a challenger objects." */
export const whenItTalks = (opened: OpeningFacts): string | undefined => {
  if (opened.rounds === 0 || opened.question.format === 'text') return undefined
  const isFact = isVoteOnFact(opened)
  const enough = isFact ? 'more than half' : 'at least 80%'
  const objects = opened.moderator !== null && !opened.smallModerator ? ', unless a challenger objects' : ''
  const onFact =
    !isFact && kindOf(opened) === undefined ? ' On a question of fact, more than half is enough.' : ''
  return `If ${enough} agree in the sealed vote, no open rounds follow${objects}.${onFact}`
}
