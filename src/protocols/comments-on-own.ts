/** What others said of a seat's own words in the round before, so that it can answer. Words that it gave up are settled. */
import { answerBefore, answerIn, roundAt, type Session } from '../core/log/state.ts'
import { quoteStands } from '../core/question/answer.ts'
import { maskFor } from '../core/wording/mask.ts'
import { fenced, shortened } from './prompt-parts.ts'

const longestComment = 1_000

/** Only of words that the seat really wrote, and that still stand in its answer. */
const commentLines = (session: Session, seat: string, round: number): string[] => {
  const mask = maskFor(session)
  const last = roundAt(session, round - 1)
  const { headline = '', reasoning = '', text = '' } = answerBefore(session, round, seat) ?? {}
  return session.seats.flatMap(({ id, alias }) =>
    (answerIn(last, id)?.points ?? [])
      .filter(
        point =>
          point.seat === seat && point.verified && quoteStands(point.quote, [headline, reasoning, text]),
      )
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
          'comments of others on words that still stand in your answer',
        ),
      ]
    : []
}
