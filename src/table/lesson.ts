/** A lesson: once the right answer is known, each seat writes a note to its successor about what it got wrong. Pure. */
import { wasRight } from '../core/camps/resolution.ts'
import { UsageError } from '../core/errors.ts'
import { lessonWords } from '../core/letters/task.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/log/state.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { valueText } from '../core/wording/values.ts'
import type { AskInput } from './ask-input.ts'

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
