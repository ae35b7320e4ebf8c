/** The moderator puts together the ways in which seats read the question. */
import { z } from 'zod'
import { statedReadings } from '../../core/camps/readings.ts'
import type { Command } from '../../core/log/command.ts'
import { type Reading, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { maskFor } from '../../core/wording/mask.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart, cut, fenced, inLanguage } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type GroupReadings = Command & { type: 'group-readings' }

/** A reading is one line. Longer ones would make a large table's prompt grow without end. */
const longestReading = 400
const mostReadings = 40

const replySchema = z.object({
  readings: z.array(
    z.object({
      reading: z.string().describe('How these seats read the question, in at most 25 words.'),
      seats: z.array(z.string()).describe('The letters of the seats that read it so.'),
    }),
  ),
})

const shape = shapeOf('readings', replySchema)

const stated = (session: Session, { round }: GroupReadings): Reading[] =>
  statedReadings(session, roundAt(session, round)!).slice(0, mostReadings)

export const groupReadings: ModelStep<GroupReadings> = {
  prompt(session, command) {
    const mask = maskFor(session)
    const lines = stated(session, command).map(({ reading, seats }) =>
      JSON.stringify({
        seats: seats.map(seat => seatOf(session, seat).alias),
        reading: cut(mask(reading), longestReading),
      }),
    )
    return {
      system: moderatorSystem,
      user: [
        bareQuestionPart(session),
        fenced(session, 'readings', lines, 'what seats said about how they read the question'),
        [
          'Put together the seats that read the question in the same way. Two readings are the same if they would accept',
          'the same answers. Name each seat once.',
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session, command) {
    const reply = replySchema.safeParse(raw)
    if (!reply.success) return { problem: 'readings with their seats are missing' }
    const left = new Map(
      stated(session, command).flatMap(({ reading, seats }) =>
        seats.map(seat => [seatOf(session, seat).alias, { seat, reading }] as const),
      ),
    )
    const grouped = reply.data.readings.slice(0, mostReadings).flatMap(({ reading, seats }): Reading[] => {
      const named = seats.flatMap(said => {
        const alias = said
          .replace(/^seat\s+/i, '')
          .trim()
          .toUpperCase()
        const found = left.get(alias)
        left.delete(alias)
        return found ? [found.seat] : []
      })
      return named.length > 0 && reading.trim() !== '' ? [{ reading: reading.trim(), seats: named }] : []
    })
    // A seat that the moderator left out keeps its own words.
    const others = [...left.values()].map(({ seat, reading }): Reading => ({ reading, seats: [seat] }))
    return { type: 'readings-grouped', round: command.round, readings: [...grouped, ...others] }
  },
}
