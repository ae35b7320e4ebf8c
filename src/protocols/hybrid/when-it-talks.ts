/** When the table talks at all, for the estimate. */
import { isVoteOnFact, kindOf } from '../../core/question/kind.ts'
import type { OpeningFacts } from '../protocol.ts'

const unless = (opened: OpeningFacts): string => {
  if (isVoteOnFact(opened)) return 'no answer has more than half of the sealed vote'
  const usual = 'fewer than 80% agree in the sealed vote'
  return kindOf(opened) === undefined ? `${usual} (on a question of fact: at most half)` : usual
}

/** "Open rounds follow only if fewer than 80% agree in the sealed vote, or a challenger objects." */
export const whenItTalks = (opened: OpeningFacts): string | undefined => {
  if (opened.rounds === 0 || opened.question.format === 'text') return undefined
  const objects = opened.moderator !== null && !opened.smallModerator ? ', or a challenger objects' : ''
  return `Open rounds follow only if ${unless(opened)}${objects}.`
}
