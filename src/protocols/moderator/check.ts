/** Compares a headline with the exemplar of its camp, both ways. */
import { z } from 'zod'
import { answerAt } from '../../core/camps/camp.ts'
import type { Command } from '../../core/log/command.ts'
import { type Relation, relations } from '../../core/log/event.ts'
import type { Session } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { maskFor } from '../../core/wording/mask.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart, fenced } from '../prompt-parts.ts'
import type { Prompt } from '../protocol.ts'
import { smallCheck } from '../small-model-prompts.ts'
import { relationWords } from './relation-words.ts'
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
    bareQuestionPart(session),
    fenced(session, fence, [JSON.stringify({ first }), JSON.stringify({ second })]),
    `${relationWords}\nAs answers to the question: how do the first and the second relate?`,
  ],
  shape,
})

/** The relation that a reply names, in whatever case. */
export const relationNamed = (said: unknown): Relation | undefined =>
  typeof said === 'string' ? relations.find(one => one === said.trim().toLowerCase()) : undefined

/** How the two texts relate, or what is wrong with the reply. */
export const relationFrom = (raw: unknown): { relation: Relation } | { problem: string } => {
  const reply = z.object({ relation: z.string().optional(), same: z.string().optional() }).safeParse(raw)
  const yesOrNo = { yes: 'same', no: 'different' }[reply.data?.same ?? ''] as Relation | undefined
  const relation = yesOrNo ?? relationNamed(reply.data?.relation)
  return relation ? { relation } : { problem: `relation isn't one of ${relations.join(', ')}` }
}

/** The two headlines of a pair, as the moderator sees them: the exemplar's, then the seat's of this round. */
export const headlinesOf = (
  session: Session,
  round: number,
  { seat, exemplar }: Pick<Check, 'seat' | 'exemplar'>,
): readonly [string, string] => {
  const mask = maskFor(session)
  const headlineOf = (answer: string): string => mask(answerAt(session, answer)?.headline ?? '')
  return [headlineOf(exemplar), headlineOf(`${seat}@${round}`)]
}

export const check: ModelStep<Check> = {
  prompt(session, { round, seat, exemplar }) {
    const pair = headlinesOf(session, round, { seat, exemplar })
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
