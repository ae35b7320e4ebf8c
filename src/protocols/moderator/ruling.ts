/** A judge without a seat rules whose case holds better, once in each order of the two positions. */
import { z } from 'zod'
import { type Side, sidesOf } from '../../core/group/examination.ts'
import type { Command } from '../../core/log/command.ts'
import { roundAt, type Session } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { withNames } from '../../core/wording/mask.ts'
import { advocateLetter, recordLines } from '../examination-record.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type Judge = Command & { type: 'judge' }

/** The letters of the two advocates: they mean the same in both orders, and neither comes first by name. */
const schemaFor = (letters: readonly string[]) =>
  z.object({
    reason: z.string().describe('What decided it, in at most 60 words.'),
    reservations: z
      .string()
      .nullable()
      .describe(
        'What you could not check, or what neither side showed, in at most 40 words; null if nothing.',
      ),
    holds: z
      .enum([...letters, 'neither'])
      .describe('The letter of the seat whose case holds better, or neither.'),
  })

const inOrder = (session: Session, { round, order }: Judge): readonly Side[] => {
  const sides = sidesOf(session, roundAt(session, round)!) ?? []
  return order === 0 ? sides : sides.toReversed()
}

const lettersOf = (session: Session, round: number): string[] => {
  const current = roundAt(session, round)!
  return (sidesOf(session, current) ?? []).map(side => advocateLetter(session, current, side))
}

export const ruling: ModelStep<Judge> = {
  prompt(session, command) {
    const { round, order } = command
    const record = recordLines(session, roundAt(session, round)!, inOrder(session, command))
    return {
      system: moderatorSystem.replace('moderate a round table', 'judge a dispute'),
      user: [
        questionPart(session),
        fenced(session, `judge ${round} ${order}`, record),
        [
          'The turns stand in the order in which they were spoken.',
          'Whose case holds better: whose statements can be checked and are right, who answered what it was asked, whose',
          'weakest point was left standing? Which position was named or spoke first says nothing, nor do length and style.',
          'Nobody could answer the last turn; that alone does not make it right.',
          'An advocate that concedes may still be wrong to. If neither case is better, say neither. Keep what you are not',
          'sure of for the reservations.',
          inLanguage(session),
        ].join('\n'),
      ],
      shape: shapeOf('ruling', schemaFor(lettersOf(session, round).toSorted())),
    }
  },
  read(raw, session, command) {
    const { round, order } = command
    const letters = lettersOf(session, round)
    const reply = schemaFor(letters).partial({ reason: true, reservations: true }).safeParse(raw)
    if (!reply.success) return { problem: `holds isn't one of ${letters.join(', ')}, neither` }
    const { holds, reason = '', reservations } = reply.data
    const sides = sidesOf(session, roundAt(session, round)!) ?? []
    const camp = sides[letters.indexOf(holds)]?.camp.id ?? null
    const words = [reason, reservations ? `Reservations: ${reservations}` : '']
    const said = words.map(part => part.trim()).filter(part => part !== '')
    return { type: 'ruling-given', round, order, camp, words: withNames(session, said.join(' ')) }
  },
}
