/** What a seat is asked when it has read the digest: no names, no counts, arguments in their authors' words. */
import { maskFor } from '../../core/mask.ts'
import { shuffled } from '../../core/random.ts'
import { replyShape } from '../../core/reply.ts'
import { answerBefore, roundAt, type Session, seatOf } from '../../core/state.ts'
import { briefPart, cut, fenced, howToJoin, howToRevise, ownText, questionPart, system } from '../brief.ts'
import type { Prompt } from '../protocol.ts'
import { smallPrompt } from '../small.ts'

/** The digest's size does not grow with the table: this many positions and arguments at most. */
export const digestTokens = 600
export const mostPositions = 6
export const mostArguments = 2
export const longestQuote = 240

/** Each seat sees the positions in an order of its own. */
const digestLines = (session: Session, round: number, place: string): string[] => {
  const mask = maskFor(session)
  const positions = roundAt(session, round)?.digest?.positions ?? []
  return shuffled(positions, `${session.seed} ${place}`).map(position =>
    JSON.stringify({
      position: cut(mask(position.position), 300),
      arguments: position.arguments.map(({ seat, quote }) => ({
        seat: seatOf(session, seat).alias,
        quote: mask(quote),
      })),
    }),
  )
}

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const place = `round ${round} seat ${seat}`
  const own = answerBefore(session, round, seat)
  const objection = roundAt(session, round - 1)?.objection
  const objections = objection ? [JSON.stringify({ objection: cut(maskFor(session)(objection), 1_000) })] : []
  return {
    system: system(session),
    user: [
      questionPart(session.question),
      fenced(session, place, [...digestLines(session, round - 1, place), ...objections]),
      ...(own ? [ownText(session, seat, own)] : []),
      ...briefPart(session, seat),
      'First criticise: which of these positions has an error or a gap, your own included? Then answer.',
      own ? howToRevise : howToJoin,
    ],
    shape: replyShape(session.question, own !== undefined),
  }
}
