/** What a seat is asked when it has heard both advocates. */
import { sidesOf } from '../../core/group/examination.ts'
import { answerBefore, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { replyShape } from '../../core/question/reply.ts'
import { briefPart, fenced, howToJoin, howToRevise, ownText, questionPart, system } from '../brief.ts'
import type { Prompt } from '../protocol.ts'
import { orderOf } from '../reading.ts'
import { smallPrompt } from '../small-model-prompts.ts'
import { recordLines } from './record.ts'

/** Every other seat reads the other side first, so that over the table no side has the first word. */
export const hearingPrompt = (session: Session, seat: string, round: number): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const last = roundAt(session, round - 1)!
  const order = orderOf(session, seat, 2)
  const sides = sidesOf(session, last) ?? []
  const own = answerBefore(session, round, seat)
  return {
    system: system(session),
    user: [
      questionPart(session.question),
      fenced(
        session,
        `round ${round} order ${order}`,
        recordLines(session, last, order === 0 ? sides : sides.toReversed()),
      ),
      ...(own ? [ownText(session, seat, own)] : []),
      ...briefPart(session, seat),
      [
        'Two seats spoke for two positions in turns and questioned each other. Judge what held: a point that was',
        'answered is spent, a question that was evaded counts against who evaded it. You are bound to neither of them.',
        own ? howToRevise : howToJoin,
      ].join('\n'),
    ],
    shape: replyShape(session.question, own !== undefined),
  }
}
