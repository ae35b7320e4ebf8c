/** The prompt of the sealed round, for every protocol: nobody reads anybody. */

import { type Session, seatOf } from '../core/log/state.ts'
import { replyShape } from '../core/question/form.ts'
import { briefPart, questionPart, system } from './prompt-parts.ts'
import type { Prompt } from './protocol.ts'
import { smallPrompt } from './small-model-prompts.ts'

export const sealedPrompt = (session: Session, seat: string): Prompt =>
  seatOf(session, seat).small
    ? smallPrompt(session, seat, 0)
    : {
        system: system(session, 'sealed'),
        user: [questionPart(session), ...briefPart(session, seat)],
        shape: replyShape(session.question, false, session.form),
      }
