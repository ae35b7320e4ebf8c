/** A judge without a seat rules whose case holds better, once in each order of the two cases. */
import { z } from 'zod'
import { type Side, sidesOf } from '../../core/group/examination.ts'
import type { Command } from '../../core/log/command.ts'
import { roundAt, type Session } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { withNames } from '../../core/wording/mask.ts'
import { recordLines } from '../examination-record.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type Judge = Command & { type: 'judge' }

const replySchema = z.object({
  reason: z.string().describe('What decided it, in at most 60 words.'),
  side: z.enum(['first', 'second', 'neither']),
})

const shape = shapeOf('ruling', replySchema)

const inOrder = (session: Session, { round, order }: Judge): readonly Side[] => {
  const sides = sidesOf(session, roundAt(session, round)!) ?? []
  return order === 0 ? sides : sides.toReversed()
}

export const ruling: ModelStep<Judge> = {
  prompt(session, command) {
    const current = roundAt(session, command.round)!
    return {
      system: moderatorSystem.replace('moderate a round table', 'judge a dispute'),
      user: [
        questionPart(session),
        fenced(
          session,
          `judge ${command.round} ${command.order}`,
          recordLines(session, current, inOrder(session, command)),
        ),
        [
          'Two seats argued for two positions in turns. Whose case holds better: whose statements can be checked and are',
          'right, who answered what it was asked, whose weakest point was left standing? Which case stands first here says',
          'nothing, nor do length and style. Where neither is better, say neither.',
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session, command) {
    const reply = replySchema.partial({ reason: true }).safeParse(raw)
    if (!reply.success) return { problem: "side isn't one of first, second, neither" }
    const { side, reason = '' } = reply.data
    const [first, second] = inOrder(session, command)
    const camp = { first: first?.camp.id, second: second?.camp.id, neither: null }[side] ?? null
    const { round, order } = command
    return { type: 'ruling-given', round, order, camp, words: withNames(session, reason.trim()) }
  },
}
