/** Reads the letters of a book, for seats. */
import type { SeatInput } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import { fold } from '../core/fold.ts'
import { type Letter, lessonWords } from '../core/opening.ts'
import { valueText } from '../core/reply.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/session.ts'
import { lettersToHandOn } from '../count/letters.ts'
import { wasRight } from '../count/moves.ts'
import { verdictOf } from '../count/verdict.ts'
import type { Archive } from '../store/archive.ts'
import type { AskInput } from '../table/ask.ts'

/** More books than this aren't read for one session. */
const mostBooks = 200

/** In the place of an id: every book there is, the oldest first. */
export const allBooks = 'all'

const lettersAt = async (archive: Archive, id: string): Promise<readonly Letter[]> => {
  const log = await archive.read(id)
  if (log.length === 0) throw new UsageError(`There is no book of letters "${id}".`)
  const session = fold(log)
  if (!session.book) throw new UsageError(`Session ${id} is not a book of letters.`)
  if (!session.outcome) throw new UsageError(`The book ${id} is still being written: wait until it is over.`)
  return lettersToHandOn(session)
}

export const lettersOfBook = async (archive: Archive, name: string): Promise<readonly Letter[]> => {
  if (name !== allBooks) return lettersAt(archive, name)
  const { sessions } = await archive.find({ books: true }, { limit: mostBooks })
  const over = sessions.filter(({ outcome }) => outcome !== null).toReversed()
  if (over.length === 0) throw new UsageError('There are no books of letters yet.')
  return (await Promise.all(over.map(({ id }) => lettersAt(archive, id)))).flat()
}

// lesson: A lesson: once the right answer is known, each seat writes a note to its successor about what it got wrong. Pure.

const task = [
  'A question that you answered at a round table is resolved: its right answer is known. The session is attached, and',
  'your brief says which participant you were. Write a short note to your successor: what did you get wrong, what misled',
  'you, and how can it notice the same mistake in time? If you were right, say what nearly misled you, or what helped.',
  'Keep to what the session shows.',
].join(' ')

const longestReasoning = 2_000

const said = (session: Session, round: Round | undefined, seat: string) => {
  const answer = answerIn(round, seat)
  return answer
    ? {
        answer: session.question.format === 'open' ? answer.headline : valueText(session.question, answer),
        reasoning: answer.reasoning.slice(0, longestReasoning),
        right: wasRight(session, round, seat),
      }
    : null
}

const verdictOn = (right: boolean | null | undefined): string => {
  if (right === undefined) return 'missing'
  if (right === null) return 'neither right nor wrong'
  return right ? 'right' : 'wrong'
}

/** Throws UsageError if nobody knows what was right. */
export const lessonOf = (session: Session): AskInput => {
  const { resolved, question } = session
  if (!resolved)
    throw new UsageError(`Session ${session.id} isn't resolved: say first what the right answer was.`)
  const sealed = session.roundsSoFar.find(round => round.sealed)
  const last = roundAt(session, verdictOf(session).final?.round ?? -1)
  const seats = session.seats.filter(({ outside, scripted }) => !outside && !scripted)
  if (seats.length === 0) throw new UsageError('No model sat at this table, so nobody can be asked.')
  const record = seats.map(({ id }, index) => ({
    participant: index + 1,
    first: said(session, sealed, id),
    last: said(session, last, id),
  }))
  return {
    question: task,
    length: lessonWords,
    book: { lessonOf: session.id },
    protocol: 'poll',
    moderator: session.moderator,
    names: 'hidden',
    ...(session.language !== null && { language: session.language }),
    // The seats said it themselves: there is nothing to look up.
    citations: false,
    attachments: [
      {
        name: 'session.json',
        text: JSON.stringify({ question: question.text, rightAnswer: resolved.answer, participants: record }),
      },
    ],
    seats: seats.map(({ model, name, temperature, effort }, index): SeatInput => {
      const { first, last: final } = record[index]!
      return {
        model,
        name,
        brief: `In that session you were participant ${index + 1}. Your first answer was ${verdictOn(first?.right)}, and your last one was ${verdictOn(final?.right)}.`,
        ...(temperature !== undefined && { temperature }),
        ...(effort && { effort }),
      }
    }),
  }
}
