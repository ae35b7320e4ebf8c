/** Puts the answer of a finished session into a form that the asker gave: the moderator words it, code checks it. */
import { answerIn, roundAt, type Session } from '../core/log/state.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { answerText } from '../core/wording/answer-text.ts'
import { fenced, questionPart } from './prompt-parts.ts'
import type { Prompt } from './protocol.ts'

const system = [
  'Several models have answered a question, and their votes were counted. You put their answer into a given form.',
  'Take every statement from the answer of the table. Add nothing of your own.',
  'Reply with one JSON object of the given form and nothing else.',
].join('\n')

export const shapedPrompt = (
  session: Session,
  name: string,
  schema: Readonly<Record<string, unknown>>,
): Prompt => {
  const { final, leading } = verdictOf(session)
  const round = final ? roundAt(session, final.round) : undefined
  const seats = final?.camps.find(camp => camp.id === leading)?.seats ?? []
  const reasons = seats.flatMap(seat => answerIn(round, seat)?.reasoning ?? [])
  const items = [
    JSON.stringify({ answer: answerText(session) }),
    ...reasons.map(reasoning => JSON.stringify({ reasoning: reasoning.slice(0, 2_000) })),
  ]
  return {
    system,
    user: [
      questionPart(session),
      fenced(session, 'shaped', items, "the table's answer, and the reasons of those who gave it"),
      'Put the answer into the form.',
    ],
    shape: { name, json: schema },
  }
}
