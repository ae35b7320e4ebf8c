/** What others said of a seat's own words in the round before, so that it can answer. */
import { answerIn, roundAt, type Session } from '../core/log/state.ts'
import { maskFor } from '../core/wording/mask.ts'
import { fenced, shortened } from './prompt-parts.ts'

const longestComment = 1_000

/** Only of words that the seat really wrote. */
const commentLines = (session: Session, seat: string, round: number): string[] => {
  const mask = maskFor(session)
  const last = roundAt(session, round - 1)
  return session.seats.flatMap(({ id, alias }) =>
    (answerIn(last, id)?.points ?? [])
      .filter(point => point.seat === seat && point.verified)
      .map(({ quote, judgement, why }) =>
        JSON.stringify({
          seat: alias,
          words: mask(quote),
          why: shortened(mask(why), longestComment),
          judgement,
        }),
      ),
  )
}

/** A part of the prompt, or nothing if nobody said anything. */
export const commentsPart = (session: Session, seat: string, round: number): string[] => {
  const lines = commentLines(session, seat, round)
  return lines.length > 0
    ? [
        fenced(
          session,
          `round ${round} seat ${seat} comments`,
          lines,
          'comments of others on your answer before the last one',
        ),
      ]
    : []
}
