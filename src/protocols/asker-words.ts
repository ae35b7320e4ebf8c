/** What the asker has added since the question was put, as a part of a prompt: data behind a fence, like all that others write. */
import { wordsBefore } from '../core/log/joining.ts'
import { type Session, seatOf } from '../core/log/state.ts'
import { maskFor, seatLabel } from '../core/wording/mask.ts'
import { fenced } from './prompt-parts.ts'

/** One JSON object for each word, as prompts and the report's facts have it. `seat`: only what that seat may read. */
export const askerLines = (session: Session, before: number, seat?: string): string[] =>
  wordsBefore(session, before, seat).map(({ words, to }) =>
    JSON.stringify({
      asker: maskFor(session)(words),
      ...(to !== undefined && { to: seatLabel(seatOf(session, to)) }),
    }),
  )

/** Empty if the asker has added nothing that this seat may read. */
export const askerPart = (session: Session, seat: string, round: number): string[] => {
  const lines = askerLines(session, round, seat)
  if (lines.length === 0) return []
  return [
    [
      'The person who asked has added something since. Take it into account as you would if it stood in the question:',
      'facts to check, constraints to keep, questions to answer within the form of the reply.',
      fenced(session, `asker round ${round} seat ${seat}`, lines, 'the words of the person who asked'),
    ].join('\n'),
  ]
}
