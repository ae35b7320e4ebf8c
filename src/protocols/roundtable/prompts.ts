/** What a seat is asked after it has read everybody. */

import { answerBefore, type Session } from '../../core/log/state.ts'
import { openRoundPrompt } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { isText, textPrompt } from '../text-prompt.ts'
import { answersOfOthers, whatAnswersAre } from '../whole-answers.ts'

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const { fence, lines } = answersOfOthers(session, seat, round)
  if (lines.length === 0 && !answerBefore(session, round, seat)) return sealedPrompt(session, seat, round)
  return openRoundPrompt(session, seat, round, {
    fence,
    lines,
    mayAgree: true,
    task: howToAnswer => [[whatAnswersAre, howToAnswer].join('\n')],
  })
}
