/** The prompt of the sealed round, for every protocol: nobody reads anybody. */

import { type Session, seatOf } from '../core/log/state.ts'
import { citesIn, replyShape } from '../core/question/form.ts'
import { askerPart } from './asker-words.ts'
import { lettersPart } from './letters-part.ts'
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

/** `round`: the sealed one, or a later one in which there is nobody to read. */
export const sealedPrompt = (session: Session, seat: string, round = 0): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, 0)
  if (isText(session)) return textPrompt(session, seat, 0)
  return {
    system,
    user: [
      questionPart(session),
      ...lettersPart(session, seat),
      [placePart(session, 'sealed'), reasoningLimit()].join('\n'),
      ...askerPart(session, seat, round),
      ...briefPart(session, seat),
    ],
    shared: repeatsQuestion(session, seat, 0) ? 1 : 0,
    shape: replyShape(session.question, false, session.form, false, citesIn(session)),
  }
}
