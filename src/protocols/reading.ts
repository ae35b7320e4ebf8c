/** The prompt of a seat that reads what the table has so far: the shared parts first, its own last. */

import { answerBefore, type Session, seatOf } from '../core/log/state.ts'
import { replyShape } from '../core/question/reply.ts'
import { shuffled } from '../core/random.ts'
import { briefPart, fenced, howToJoin, howToRevise, ownText, questionPart, system } from './brief.ts'
import type { Prompt } from './protocol.ts'
import { smallPrompt } from './small-model-prompts.ts'

/** Three orders are enough for no line to be the first for all, and few enough for caches to hit. */
const orders = 3

/** Which of so many orders a seat reads in: neighbours read in different ones. */
export const orderOf = (session: Session, seat: string, among = orders): number =>
  session.seats.findIndex(({ id }) => id === seat) % among

/** Lines about the whole come first, then those about single positions in the seat's order. */
export const readingPrompt = (
  session: Session,
  seat: string,
  round: number,
  lines: { readonly whole?: readonly string[]; readonly positions: readonly string[] },
  how: readonly string[],
): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const place = `round ${round} order ${orderOf(session, seat)}`
  const own = answerBefore(session, round, seat)
  const positions = shuffled(lines.positions, `${session.seed} ${place}`)
  return {
    system: system(session),
    user: [
      questionPart(session.question),
      fenced(session, place, [...(lines.whole ?? []), ...positions]),
      ...(own ? [ownText(session, seat, own)] : []),
      ...briefPart(session, seat),
      [...how, own ? howToRevise : howToJoin].join('\n'),
    ],
    shape: replyShape(session.question, own !== undefined),
  }
}
