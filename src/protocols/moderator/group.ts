/** The moderator labels every headline. Equal labels make a camp. */
import { z } from 'zod'
import { groupingOf } from '../../core/camps/camps.ts'
import type { Command } from '../../core/log/command.ts'
import { answerIn, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { shuffled } from '../../core/random.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { batchesOf, isLarge } from '../large-table.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, questionPart } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type Group = Command & { type: 'group-answers' }

/**
 * The two passes read the headlines in opposite orders: a grouping that depends on the order is contested.
 * At a large table each pass reads them in batches.
 */
const inOrder = (session: Session, { round, pass, batch }: Group): string[] => {
  const { unplaced } = groupingOf(session, roundAt(session, round)!)
  const order = shuffled(unplaced, `${session.seed} group ${round}`)
  const seats = pass === 0 ? order : order.reverse()
  return batch === undefined ? seats : (batchesOf(seats)[batch] ?? [])
}

/** A position with a headline that asserts it. */
interface Known {
  readonly label: string
  readonly headline: string
}

/** More would grow with the table. A position that is left out is found again, or stays alone. */
const mostKnown = 40

/** The positions that earlier batches found, those with the most headlines first. */
const earlierBatches = (session: Session, { round, pass, batch }: Group): Known[] => {
  const current = roundAt(session, round)
  const labels = batch === undefined ? {} : (current?.proposals[pass] ?? {})
  const byLabel = Map.groupBy(Object.entries(labels), ([, label]) => String(label))
  return [...byLabel]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([label, [first]]) => ({ label, headline: answerIn(current, first![0])?.headline ?? label }))
}

/** The positions known so far, by their labels as the moderator sees them. */
const knownPositions = (session: Session, command: Group): Map<string, Known> => {
  const mask = maskFor(session)
  const earlier = session.roundsSoFar.filter(one => one.index < command.round)
  const camps = earlier.flatMap(one => groupingOf(session, one).camps)
  const found = [...camps, ...earlierBatches(session, command)]
  const known = new Map(found.map(one => [mask(one.label), one]))
  return isLarge(session) ? new Map([...known].slice(0, mostKnown)) : known
}

export const group: ModelStep<Group> = {
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
    const known = [...knownPositions(session, command)].map(([label, { headline }]) =>
      JSON.stringify({ label, headline: mask(headline) }),
    )
    const fence = ['group', command.round, command.pass, command.batch ?? []].flat().join(' ')
    const label = z.string().describe('The position in at most eight words.')
    return {
      system: moderatorSystem,
      user: [
        questionPart(session),
        fenced(session, fence, headlines),
        ...(known.length > 0 ? [`Positions known so far:\n${fenced(session, `${fence} known`, known)}`] : []),
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
    const { round, pass, batch } = command
    const reply = z.record(z.string(), z.unknown()).safeParse(raw)
    const known = knownPositions(session, command)
    const labels: Record<string, string> = {}
    for (const seat of inOrder(session, command)) {
      const { alias } = seatOf(session, seat)
      const label = reply.data?.[alias] ?? reply.data?.[`Seat ${alias}`]
      if (typeof label !== 'string' || label.trim() === '') return { problem: `no label for seat ${alias}` }
      labels[seat] = known.get(label.trim())?.label ?? label.trim()
    }
    return { type: 'camps-proposed', round, pass, ...(batch !== undefined && { batch }), labels }
  },
}
