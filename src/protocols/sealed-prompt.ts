/** The prompt of the sealed round, for every protocol: nobody reads anybody. */

import { type Session, seatOf } from '../core/log/state.ts'
import { replyShape } from '../core/question/form.ts'
import {
  briefPart,
  placePart,
  questionPart,
  reasoningLimit,
  repeatsQuestion,
  system,
} from './prompt-parts.ts'
import type { Prompt } from './protocol.ts'
import { smallPrompt } from './small-model-prompts.ts'
import { isText, textPrompt } from './text-prompt.ts'

export const sealedPrompt = (session: Session, seat: string): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, 0)
  if (isText(session)) return textPrompt(session, seat, 0)
  return {
    system,
    user: [
      questionPart(session),
      [placePart(session, 'sealed'), reasoningLimit()].join('\n'),
      ...briefPart(session, seat),
    ],
    shared: repeatsQuestion(session, seat, 0) ? 1 : 0,
    shape: replyShape(session.question, false, session.form, false, session.citations),
  }
}
