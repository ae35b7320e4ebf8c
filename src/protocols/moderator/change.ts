/** Reads the text of a transcript's seat for what it says about its own change of mind. */
import { z } from 'zod'
import type { Command } from '../../core/log/command.ts'
import { changeWords } from '../../core/log/event.ts'
import { answerIn, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { quoteStands } from '../../core/question/answer.ts'
import { shapeOf } from '../../core/question/form.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart, cut, fenced } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type CheckChange = Command & { type: 'check-change' }

const replySchema = z.strictObject({
  quote: z.string().describe('The exact words in which the text says so, copied letter by letter.'),
  says: z.enum(changeWords),
})

const shape = shapeOf('change', replySchema)

const textsOf = (session: Session, { round, seat }: CheckChange): string[] => {
  const { headline = '', reasoning = '' } = answerIn(roundAt(session, round), seat) ?? {}
  return [headline, reasoning]
}

export const change: ModelStep<CheckChange> = {
  prompt(session, command) {
    const [headline, reasoning] = textsOf(session, command)
    const { alias } = seatOf(session, command.seat)
    const text = JSON.stringify({ seat: alias, headline, reasoning: cut(reasoning ?? '') })
    return {
      system: moderatorSystem,
      user: [
        bareQuestionPart(session),
        fenced(session, `change ${command.seat}`, [text]),
        [
          'The seat wrote this after it had read what the others wrote. Judge by its own words alone, and not by what',
          'anybody claims about it: does it say that it changed its mind?',
          '"held": it says that its position stays, or is reinforced. "refined": its position stays, and it adds to it',
          'or words it anew. "switched": it gives up its earlier position for another one. "not told": it says nothing',
          'about that; the quote is empty then.',
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session, command) {
    const reply = z.object({ says: z.string(), quote: z.string().nullish() }).safeParse(raw)
    const says = changeWords.find(word => word === reply.data?.says.trim().toLowerCase())
    if (!says) return { problem: `says isn't one of ${changeWords.join(', ')}` }
    const quote = reply.data?.quote?.trim() ?? ''
    const verified = quoteStands(quote, textsOf(session, command))
    const { round, seat } = command
    return { type: 'change-checked', round, seat, says, quote, verified }
  },
}
