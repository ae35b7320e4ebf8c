/** What a seat is asked when it has read the digest: no names, no counts, arguments in their authors' words. */

import { answerBefore, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { replyShape } from '../../core/question/reply.ts'
import { shuffled } from '../../core/random.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { briefPart, cut, fenced, howToJoin, howToRevise, ownText, questionPart, system } from '../brief.ts'
import { delegatesAfter, isLarge } from '../large-table.ts'
import type { Prompt } from '../protocol.ts'
import { orderOf } from '../reading.ts'
import { smallPrompt } from '../small-model-prompts.ts'

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

/** Words of a seat that votes again while others speak. */
const fewWords = 40

const criticise =
  'First criticise: which of these positions has an error or a gap, your own included? Then answer.'

/** At a large table a few speak for the camps, and what they write is read by all; the rest vote again. */
const speaking = [
  'The table is large: you speak for those who gave your answer. Put their case so that the others can check it.',
  criticise,
].join('\n')
const voting = [
  'The table is large: others speak for the positions in this round, and you vote again.',
  'Look for an error or a gap in the positions, your own included. Then answer, and keep the reasoning short.',
].join('\n')

/** Who reads in what order, and what it is asked to do. */
const partOf = (session: Session, seat: string, round: number) => {
  const last = roundAt(session, round - 1)
  if (!last || !isLarge(session))
    return { place: `round ${round} seat ${seat}`, task: criticise, words: undefined }
  const speaks = delegatesAfter(session, last).has(seat)
  // Few orders, so that most prompts of a round begin alike and a provider's cache hits.
  const place = `round ${round} order ${orderOf(session, seat)}`
  return speaks ? { place, task: speaking, words: undefined } : { place, task: voting, words: fewWords }
}

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const { place, task, words } = partOf(session, seat, round)
  const own = answerBefore(session, round, seat)
  const objection = roundAt(session, round - 1)?.objection
  const objections = objection ? [JSON.stringify({ objection: cut(maskFor(session)(objection), 1_000) })] : []
  return {
    system: system(session, words),
    user: [
      questionPart(session.question),
      fenced(session, place, [...digestLines(session, round - 1, place), ...objections]),
      ...(own ? [ownText(session, seat, own)] : []),
      ...briefPart(session, seat),
      task,
      own ? howToRevise : howToJoin,
    ],
    shape: replyShape(session.question, own !== undefined),
  }
}
