/** One headline held against the exemplar of its camp, both ways. */
import { z } from 'zod'
import type { Command } from '../../core/command.ts'
import { relations } from '../../core/event.ts'
import { maskFor } from '../../core/mask.ts'
import { shapeOf } from '../../core/reply.ts'
import { answerIn, roundAt, type Session } from '../../core/state.ts'
import { fenced, questionPart } from '../brief.ts'
import { type ModeratorStep, moderatorSystem } from './step.ts'

type Check = Command & { type: 'check-membership' }

const shape = shapeOf('relation', z.strictObject({ relation: z.enum(relations) }))

const headlineOf = (session: Session, seat: string, round: number): string =>
  maskFor(session)(answerIn(roundAt(session, round), seat)?.headline ?? '')

export const check: ModeratorStep<Check> = {
  prompt(session, { round, seat, exemplar }) {
    const [exemplarSeat = '', exemplarRound = ''] = exemplar.split('@')
    const statements = [
      JSON.stringify({ first: headlineOf(session, exemplarSeat, Number(exemplarRound)) }),
      JSON.stringify({ second: headlineOf(session, seat, round) }),
    ]
    return {
      system: moderatorSystem,
      user: [
        questionPart(session.question),
        fenced(session, `check ${round} ${seat} ${exemplar}`, statements),
        [
          'As answers to the question: does the first assert what the second asserts, and the second what the first?',
          '"same": both ways. "same with a caveat": the same answer, but one adds a condition or a reservation.',
          '"different": they could not both be the answer, or one denies what the other asserts.',
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, _session, { round, seat, exemplar }) {
    const said = (raw as Record<string, unknown>).relation
    const relation = relations.find(one => one === said)
    if (!relation) return { problem: `relation is none of ${relations.join(', ')}` }
    return { type: 'membership-checked', round, seat, exemplar, relation }
  },
}
