/** The moderator puts a label on every headline; equal labels make a camp. */
import { z } from 'zod'
import type { Camp } from '../../core/camp.ts'
import { groupingOf } from '../../core/camps.ts'
import type { Command } from '../../core/command.ts'
import { maskFor } from '../../core/mask.ts'
import { shuffled } from '../../core/random.ts'
import { shapeOf } from '../../core/reply.ts'
import { answerIn, roundAt, type Session, seatOf } from '../../core/state.ts'
import { fenced, questionPart } from '../brief.ts'
import { type ModeratorStep, moderatorSystem } from './step.ts'

type Group = Command & { type: 'group-answers' }

/** The two passes read the headlines in different orders: a grouping that depends on order is contested. */
const inOrder = (session: Session, { round, pass }: Group): string[] => {
  const { unplaced } = groupingOf(session, roundAt(session, round)!)
  const order = shuffled(unplaced, `${session.seed} group ${round}`)
  return pass === 0 ? order : order.reverse()
}

/** The camps of earlier rounds by their labels, as the moderator sees those. */
const knownCamps = (session: Session, round: number): Map<string, Camp> => {
  const earlier = session.roundsSoFar.filter(one => one.index < round)
  const camps = earlier.flatMap(one => groupingOf(session, one).camps)
  return new Map(camps.map(camp => [maskFor(session)(camp.label), camp]))
}

export const group: ModeratorStep<Group> = {
  prompt(session, command) {
    const round = roundAt(session, command.round)
    const seats = inOrder(session, command)
    const mask = maskFor(session)
    const headlines = seats.map(seat =>
      JSON.stringify({
        seat: seatOf(session, seat).alias,
        headline: mask(answerIn(round, seat)?.headline ?? ''),
      }),
    )
    const known = [...knownCamps(session, command.round)].map(([label, { headline }]) =>
      JSON.stringify({ label, headline: mask(headline) }),
    )
    const place = `group ${command.round} ${command.pass}`
    const label = z.string().describe('The position in at most eight words.')
    return {
      system: moderatorSystem,
      user: [
        questionPart(session.question),
        fenced(session, place, headlines),
        ...(known.length > 0 ? [`Positions known so far:\n${fenced(session, `${place} known`, known)}`] : []),
        [
          'Give each seat a label that states its position. Two seats get the very same label if and only if their',
          'headlines assert the same answer to the question. The same topic is not enough: opposite answers, or',
          'answers that could not both be acted on, get different labels.',
          ...(known.length > 0 ? ['Where a known position fits, use its label word for word.'] : []),
        ].join('\n'),
      ],
      shape: shapeOf(
        'positions',
        z.strictObject(Object.fromEntries(seats.map(seat => [seatOf(session, seat).alias, label]))),
      ),
    }
  },
  read(raw, session, command) {
    const { round, pass } = command
    const reply = z.record(z.string(), z.unknown()).safeParse(raw)
    const known = knownCamps(session, round)
    const labels: Record<string, string> = {}
    for (const seat of inOrder(session, command)) {
      const { alias } = seatOf(session, seat)
      const label = reply.data?.[alias] ?? reply.data?.[`Seat ${alias}`]
      if (typeof label !== 'string' || label.trim() === '') return { problem: `no label for seat ${alias}` }
      labels[seat] = known.get(label.trim())?.label ?? label.trim()
    }
    return { type: 'camps-proposed', round, pass, labels }
  },
}
