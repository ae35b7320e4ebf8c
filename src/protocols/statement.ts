/** An advocate's turn: it argues for its camp, answers what it was asked, and asks in return. */
import { z } from 'zod'
import { sidesOf, turnsIn } from '../core/group/examination.ts'
import type { Command } from '../core/log/command.ts'
import { answerIn, roundAt, seatOf } from '../core/log/state.ts'
import { shapeOf } from '../core/question/form.ts'
import { recordLines } from './examination-record.ts'
import type { ModelStep } from './model-step.ts'
import { briefPart, fenced, ownText, questionPart, system } from './prompt-parts.ts'

type MakeStatement = Command & { type: 'make-statement' }

const replySchema = z.object({
  argument: z.string().describe('Your case in this turn, with the answer to what you were asked first.'),
  question: z.string().nullable().describe('One question that the other side must answer; null if none.'),
})

/** A very small model may not stop by itself, and would keep the table waiting. */
const smallTurn = 400

const shape = shapeOf('statement', replySchema)

export const statement: ModelStep<MakeStatement> = {
  prompt(session, { round, turn, seat }) {
    const current = roundAt(session, round)!
    const sides = sidesOf(session, current) ?? []
    const own = answerIn(current, seat)
    const closing = turn === turnsIn(session) - 1
    return {
      system: system(session),
      user: [
        questionPart(session),
        fenced(session, `statement ${round} ${turn}`, recordLines(session, current, sides)),
        ...(own ? [ownText(session, seat, own)] : []),
        ...briefPart(session, seat),
        [
          `Between the marks stand two positions and what was said for them so far. You speak for the ${turn % 2 === 0 ? 'first' : 'second'} one.`,
          'If the other side asked you something, answer that first and straight; an evaded question counts against you.',
          'Then make the strongest honest case: facts that can be checked, and the weakest point of the other side.',
          'Say so where the other side is right. Stay under 200 words.',
          closing
            ? 'This is the last turn: ask nothing, set question to null.'
            : 'Then ask the one question that the other side will find hardest to answer.',
        ].join('\n'),
      ],
      shape,
      ...(seatOf(session, seat).small && { maxOutputTokens: smallTurn }),
    }
  },
  read(raw, _session, { round, turn, seat }) {
    const reply = replySchema.partial({ question: true }).safeParse(raw)
    const argument = reply.data?.argument.trim()
    if (!argument) return { problem: 'argument is missing' }
    const question = reply.data?.question?.trim() || null
    return { type: 'statement-made', round, turn, seat, said: { argument, question } }
  },
}
