/** Compares a headline with the exemplar of its camp, both ways. */
import { z } from 'zod'
import { answerAt } from '../../core/camps/camp.ts'
import type { Command } from '../../core/log/command.ts'
import { type Relation, relations } from '../../core/log/event.ts'
import type { Session } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { maskFor } from '../../core/wording/mask.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, questionPart } from '../prompt-parts.ts'
import type { Prompt } from '../protocol.ts'
import { smallCheck } from '../small-model-prompts.ts'
import { moderatorSystem } from './system.ts'

type Check = Command & { type: 'check-membership' }

const replySchema = z.strictObject({
  why: z.string().describe('What both assert, and what only one of them does, in at most 40 words.'),
  relation: z.enum(relations),
})

const shape = shapeOf('relation', replySchema)

/** Asks whether two texts are the same answer. */
export const comparison = (
  session: Session,
  fence: string,
  [first, second]: readonly [string, string],
): Prompt => ({
  system: moderatorSystem,
  user: [
    questionPart(session),
    fenced(session, fence, [JSON.stringify({ first }), JSON.stringify({ second })]),
    [
      'As answers to the question: does the first assert what the second asserts, and the second what the first?',
      '"same": both ways. "same with a caveat": the same answer, but one adds a condition or a reservation.',
      '"different": they could not both be the answer, or one denies what the other asserts.',
    ].join('\n'),
  ],
  shape,
})

/** How the two texts relate, or what is wrong with the reply. */
export const relationFrom = (raw: unknown): { relation: Relation } | { problem: string } => {
  const reply = z.object({ relation: z.string().optional(), same: z.string().optional() }).safeParse(raw)
  const said = reply.data?.relation?.trim().toLowerCase()
  const yesOrNo = { yes: 'same', no: 'different' }[reply.data?.same ?? ''] as Relation | undefined
  const relation = yesOrNo ?? relations.find(one => one === said)
  return relation ? { relation } : { problem: `relation isn't one of ${relations.join(', ')}` }
}

export const check: ModelStep<Check> = {
  prompt(session, { round, seat, exemplar }) {
    const mask = maskFor(session)
    const headlineOf = (answer: string): string => mask(answerAt(session, answer)?.headline ?? '')
    const pair = [headlineOf(exemplar), headlineOf(`${seat}@${round}`)] as const
    if (session.smallModerator) return smallCheck(session.question, pair)
    return comparison(session, `check ${round} ${seat} ${exemplar}`, pair)
  },
  read(raw, _session, { round, seat, exemplar }) {
    const found = relationFrom(raw)
    return 'problem' in found
      ? found
      : { type: 'membership-checked', round, seat, exemplar, relation: found.relation }
  },
}
