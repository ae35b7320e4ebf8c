/** The moderator says which headlines are the same position, and labels each position. */
import { z } from 'zod'
import { groupingOf } from '../../core/camps/camps.ts'
import type { Command } from '../../core/log/command.ts'
import type { Happening } from '../../core/log/event.ts'
import { answerIn, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { shuffled } from '../../core/random.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { batchesOf, isLarge } from '../large-table.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart, fenced, fencedToo } from '../prompt-parts.ts'
import { relationWords } from './relation-words.ts'
import { moderatorSystem } from './system.ts'

/** A pass over the headlines: `group-answers`, or the first one as a part of a reading. */
export type Pass = Omit<Command & { type: 'group-answers' }, 'type'>
type Group = Command & { type: 'group-answers' }

/**
 * The two passes read the headlines in opposite orders: a grouping that depends on the order is contested.
 * At a large table each pass reads them in batches.
 */
export const inOrder = (session: Session, { round, pass, batch }: Pass): string[] => {
  const { unplaced } = groupingOf(session, roundAt(session, round)!)
  const order = shuffled(unplaced, `${session.seed} group ${round}`)
  const seats = pass === 0 ? order : order.reverse()
  return batch === undefined ? seats : (batchesOf(seats)[batch] ?? [])
}

/** A position with a headline that asserts it. */
interface Known {
  /** A camp's id, or the one that an earlier batch gave it. */
  readonly id: string
  readonly label: string
  readonly headline: string
}

/** More would grow with the table. A position that is left out is found again, or stays alone. */
const mostKnown = 40

/** The positions that earlier batches found, those with the most headlines first. */
const earlierBatches = (session: Session, { round, pass, batch }: Pass): Known[] => {
  const current = roundAt(session, round)
  const labels = batch === undefined ? {} : (current?.proposals[pass] ?? {})
  const ids = current?.positions?.[pass]
  const byId = Map.groupBy(Object.entries(labels), ([seat, label]) => ids?.[seat] ?? String(label))
  return [...byId]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([id, members]) => {
      const [seat, label] = members[0]!
      return { id, label: String(label), headline: answerIn(current, seat)?.headline ?? String(label) }
    })
}

/** The positions known so far, by id and as of the last round that has them. */
const knownPositions = (session: Session, command: Pass): Map<string, Known> => {
  const earlier = session.roundsSoFar.filter(one => one.index < command.round)
  const camps = earlier.flatMap(one => groupingOf(session, one).camps)
  const known = new Map([...camps, ...earlierBatches(session, command)].map(one => [one.id, one]))
  return isLarge(session) ? new Map([...known].slice(0, mostKnown)) : known
}

/** The second pass only shows whether the grouping depends on the order, so it needs no words of its own. */
const givesLabels = ({ pass }: Pass): boolean => pass === 0

const instructions = (pass: Pass, hasKnown: boolean): string =>
  [
    relationWords,
    '',
    'Find out which seats hold the same position. Say first what parts them, then give each seat the',
    'id of its position. Two seats get the same id if and only if their headlines are "same" or "same with a caveat".',
    hasKnown
      ? 'If a headline is the same answer as a known position, with or without a caveat, use the id of that position. Any other position is new: n1, n2, n3 and so on.'
      : 'The ids are n1, n2, n3 and so on.',
    ...(givesLabels(pass)
      ? [
          'Then give every id that you used a label: the position in at most fifteen words, as its seats put it now.',
          ...(hasKnown
            ? ['A known position gets a fresh label too, because its seats may have moved on.']
            : []),
        ]
      : []),
  ].join('\n')

const labelSchema = z.strictObject({
  id: z.string().describe('An id that you used above.'),
  label: z.string().describe('The position in at most fifteen words.'),
})

/** The labels that a reply gives to the ids that it uses. */
const freshLabels = (raw: unknown): Map<string, string> => {
  const reply = z.object({ positions: z.array(z.unknown()) }).safeParse(raw)
  const each = (reply.data?.positions ?? []).flatMap(one => labelSchema.safeParse(one).data ?? [])
  return new Map(
    each.filter(({ label }) => label.trim() !== '').map(({ id, label }) => [id.trim(), label.trim()]),
  )
}

const headlineIn = (session: Session, round: number, seat: string): string =>
  answerIn(roundAt(session, round), seat)?.headline ?? ''

/** One headline as the moderator reads it. */
export const headlineLine = (session: Session, round: number, seat: string): string =>
  JSON.stringify({
    seat: seatOf(session, seat).alias,
    headline: maskFor(session)(headlineIn(session, round, seat)),
  })

/** The part of a prompt that asks for positions and labels: the lines to sort, what is known, and what to do. */
export const labellingParts = (session: Session, pass: Pass, lines: readonly string[]): string[] => {
  const mask = maskFor(session)
  const known = [...knownPositions(session, pass)].map(([id, { label, headline }]) =>
    JSON.stringify({ id, ...(givesLabels(pass) && { label: mask(label) }), headline: mask(headline) }),
  )
  const fence = ['group', pass.round, pass.pass, pass.batch ?? []].flat().join(' ')
  return [
    fenced(session, fence, lines),
    ...(known.length > 0 ? [`Positions known so far:\n${fencedToo(session, fence, known)}`] : []),
    instructions(pass, known.length > 0),
  ]
}

export const labellingFields = (session: Session, pass: Pass): z.ZodRawShape => {
  // What the field holds is said once, in the instructions: a description would come again with every seat.
  const id = z.string()
  return {
    reasoning: z.string().describe('What the headlines agree on and what parts them, in at most 80 words.'),
    ...Object.fromEntries(inOrder(session, pass).map(seat => [seatOf(session, seat).alias, id])),
    ...(givesLabels(pass) && { positions: z.array(labelSchema) }),
  }
}

/** A position and its label for each seat, by id. */
export type HeadlineLabels = Required<Pick<Happening & { type: 'camps-proposed' }, 'labels' | 'positions'>>

/** What a reply says about the headlines, or which of them it leaves out. */
export const labelledBy = (
  raw: unknown,
  session: Session,
  pass: Pass,
): HeadlineLabels | { problem: string } => {
  const reply = z.record(z.string(), z.unknown()).safeParse(raw)
  const mask = maskFor(session)
  const known = knownPositions(session, pass)
  const fresh = freshLabels(raw)
  const labels: Record<string, string> = {}
  const positions: Record<string, string> = {}
  for (const seat of inOrder(session, pass)) {
    const { alias } = seatOf(session, seat)
    const given = reply.data?.[alias] ?? reply.data?.[`Seat ${alias}`]
    if (typeof given !== 'string' || given.trim() === '') return { problem: `no position for seat ${alias}` }
    const said = given.trim()
    // Some models write the label where the id belongs.
    const home = known.get(said) ?? [...known.values()].find(({ label }) => mask(label) === said)
    positions[seat] = home?.id ?? said
    const first = Object.keys(positions).find(one => positions[one] === positions[seat])!
    labels[seat] =
      fresh.get(said) ?? home?.label ?? (givesLabels(pass) ? said : headlineIn(session, pass.round, first))
  }
  return { labels, positions }
}

export const group: ModelStep<Group> = {
  prompt(session, command) {
    const lines = inOrder(session, command).map(seat => headlineLine(session, command.round, seat))
    return {
      system: moderatorSystem,
      user: [bareQuestionPart(session), ...labellingParts(session, command, lines)],
      shape: shapeOf('positions', z.strictObject(labellingFields(session, command))),
    }
  },
  read(raw, session, command) {
    const { round, pass, batch } = command
    const found = labelledBy(raw, session, command)
    if ('problem' in found) return found
    return { type: 'camps-proposed', round, pass, ...(batch !== undefined && { batch }), ...found }
  },
}
