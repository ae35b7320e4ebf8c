/** An advocate's turn: it answers what it was asked, argues for its camp and asks in return, or it concedes. */
import { z } from 'zod'
import { sidesOf, turnsIn } from '../core/group/examination.ts'
import type { Command } from '../core/log/command.ts'
import { answerIn, type Round, roundAt, type Session, seatOf } from '../core/log/state.ts'
import { shapeOf } from '../core/question/form.ts'
import { ownText, peerText } from './answer-texts.ts'
import { advocateLetter, recordLines, spokenIn, whatRecordIs } from './examination-record.ts'
import type { ModelStep } from './model-step.ts'
import { briefPart, fenced, placePart, questionPart, system } from './prompt-parts.ts'

type MakeStatement = Command & { type: 'make-statement' }

const stances = ['maintain', 'concede'] as const

const replySchema = z.object({
  argument: z.string().describe('What you say in this turn, in Markdown.'),
  question: z
    .string()
    .nullable()
    .describe('One question that the other side must answer, in at most 40 words; null if you ask none.'),
  stance: z
    .enum(stances)
    .describe('maintain: you still hold your position. concede: the other side has convinced you.'),
})

/** A very small model may not stop by itself, and would keep the table waiting. */
const smallTurn = 400

const shape = shapeOf('statement', replySchema)

/** Positions are words of seats, so they stand only between the marks; here their advocates' letters stand for them. */
const whoSpeaks = (session: Session, round: Round, { turn, seat }: MakeStatement): string[] => {
  const sides = sidesOf(session, round) ?? []
  const [own, other] = (turn % 2 === 0 ? sides : sides.toReversed()).map(side =>
    advocateLetter(session, round, side),
  )
  if (own === undefined || other === undefined) return []
  const { alias } = seatOf(session, seat)
  const replaces = own === alias ? '' : ` in place of Seat ${own}`
  return [
    `You are Seat ${alias} and speak for your position${replaces}; Seat ${other} speaks for the other one.`,
    ...(spokenIn(round).some(one => one.seat === seat) ? ['Turns marked as yours are your own.'] : []),
  ]
}

/** Whoever begins knows what it argues against: the answer of the other advocate. */
const otherAnswer = (session: Session, round: Round, seat: string): string[] => {
  const other = sidesOf(session, round)?.find(({ camp }) => !camp.seats.includes(seat))?.advocate
  const answer = other && answerIn(round, other)
  return other && answer ? [peerText(session, other, answer)] : []
}

export const statement: ModelStep<MakeStatement> = {
  prompt(session, command) {
    const { round, turn, seat } = command
    const current = roundAt(session, round)!
    const sides = sidesOf(session, current) ?? []
    const answer = answerIn(current, seat)
    const closing = turn === turnsIn(session) - 1
    return {
      system,
      user: [
        questionPart(session),
        placePart(session, 'hearing'),
        fenced(
          session,
          `statement ${round} ${turn}`,
          [
            ...recordLines(session, current, sides, seat),
            ...(turn === 0 ? otherAnswer(session, current, seat) : []),
          ],
          whatRecordIs,
        ),
        ...(answer ? [ownText(session, seat, answer)] : []),
        ...briefPart(session, seat),
        [
          turn === 0
            ? 'You open the hearing. The record has the two positions, and the answer of the seat that speaks for the other one.'
            : 'The record has the two positions, and the turns in the order in which they were spoken.',
          ...whoSpeaks(session, current, command),
          ...(turn === 0
            ? []
            : [
                'If you were asked something, answer that first and straight: whoever evades a question weakens its case.',
              ]),
          'Make the strongest honest case: statements that can be checked, and the weakest point of the other side. The table',
          'reads only this record: quote what you attack.',
          'Grant what the other side has right. If it has convinced you, concede and say why: that is honourable, the hearing',
          'ends with it, and the table votes.',
          closing
            ? 'This is the last turn: set question to null.'
            : 'If you maintain your position, ask the one question that the other side will find hardest to answer.',
          'Keep the argument under 200 words.',
        ].join('\n'),
      ],
      // An advocate speaks in several turns.
      shared: 1,
      shape,
      ...(seatOf(session, seat).small && { maxOutputTokens: smallTurn }),
    }
  },
  read(raw, _session, { round, turn, seat }) {
    const reply = replySchema
      .partial({ question: true })
      .extend({ stance: z.string().nullish() })
      .safeParse(raw)
    const argument = reply.data?.argument.trim()
    if (!argument) return { problem: 'argument is missing' }
    const question = reply.data?.question?.trim() || null
    const concedes = reply.data?.stance?.trim().toLowerCase() === 'concede'
    const said = { argument, question, ...(concedes && { concedes: true as const }) }
    return { type: 'statement-made', round, turn, seat, said }
  },
}
