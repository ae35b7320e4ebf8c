/**
 * A reading: what the moderator makes of a closed round in one call. It labels the headlines, and if the protocol wants
 * it, looks for an objection to the position that leads and sums the round up for a table that is too large to read itself.
 */
import { z } from 'zod'
import { asLabelled } from '../../core/camps/camps.ts'
import type { Command } from '../../core/log/command.ts'
import type { Happening, ReadingPart } from '../../core/log/event.ts'
import { answerIn, apply, roundAt, type Session } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { isVoteOnFact } from '../../core/question/kind.ts'
import { shuffled } from '../../core/random.ts'
import { peerText } from '../answer-texts.ts'
import type { ModelStep } from '../model-step.ts'
import { challengedCamp, isEnough } from '../objection.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { objectionFields, objectionFrom, triedWords, whatObjectionIs } from './challenge.ts'
import { digestField, digestFrom, whatDigestHas } from './digest.ts'
import {
  type HeadlineLabels,
  headlineLine,
  inOrder,
  labelledBy,
  labellingFields,
  labellingParts,
  type Pass,
} from './group.ts'
import { moderatorSystem } from './system.ts'

type ReadRound = Command & { type: 'read-round' }
type RoundRead = Happening & { type: 'round-read' }

const passOf = ({ round }: ReadRound): Pass => ({ round, pass: 0 })

const wants = ({ parts }: ReadRound, part: ReadingPart): boolean => parts.includes(part)

/** Enough answers to object to. More would cost every table what only one that agrees needs. */
const mostRead = 2

/**
 * Whose answers are read whole: all for a digest, otherwise a few. An objection matters only if nearly all agree, and then
 * any few answers hold the leading position.
 */
const readWhole = (session: Session, command: ReadRound): string[] => {
  const round = roundAt(session, command.round)
  const answered = session.seats.map(({ id }) => id).filter(id => answerIn(round, id))
  const order = shuffled(answered, `${session.seed} reading ${command.round}`)
  if (wants(command, 'digest')) return order
  return order.slice(0, mostRead)
}

/** Each answer once: whole, or only its headline if that is all that is needed of it. */
const linesOf = (session: Session, command: ReadRound): string[] => {
  const round = roundAt(session, command.round)
  const whole = new Set(readWhole(session, command))
  const sorted = inOrder(session, passOf(command))
  const others = [...whole].filter(seat => !sorted.includes(seat))
  return [...sorted, ...others].map(seat =>
    whole.has(seat)
      ? peerText(session, seat, answerIn(round, seat)!)
      : headlineLine(session, command.round, seat),
  )
}

const { objection, check } = objectionFields
/** In a reading there may be nothing to object to, and it says so before it would think about it. */
const criticFields = {
  against: z
    .string()
    .nullable()
    .describe('The id of the position that so many seats hold; null if there is none.'),
  tried: z.string().nullable().describe(triedWords),
  objection,
  check,
}

const fieldsOf = (session: Session, command: ReadRound, labels: boolean): z.ZodRawShape => ({
  ...(labels && labellingFields(session, passOf(command))),
  ...(wants(command, 'objection') && (labels ? criticFields : objectionFields)),
  ...(wants(command, 'digest') && { digest: digestField }),
})

const objectionPart = (session: Session, labels: boolean, whole: boolean): string[] => {
  if (!labels) return [`Take the position that most seats hold and be its best critic. ${whatObjectionIs}`]
  return [
    ...(whole ? [] : ['Some answers stand above as a whole, the others by their headlines.']),
    `If ${isVoteOnFact(session) ? 'more than half' : 'at least four fifths'} of the seats hold one position, be its best critic. ${whatObjectionIs}`,
    'If no position has that many, set against, tried, objection and check to null.',
  ]
}

const digestPart = 'Last, write a digest for the table, which reads it instead of the answers.'

const promptFor = (session: Session, command: ReadRound) => {
  const lines = linesOf(session, command)
  const labels = inOrder(session, passOf(command)).length > 0
  return {
    system: moderatorSystem,
    user: [
      questionPart(session),
      ...(labels
        ? labellingParts(session, passOf(command), lines)
        : [fenced(session, `reading ${command.round}`, lines)]),
      [
        ...(wants(command, 'objection') ? objectionPart(session, labels, wants(command, 'digest')) : []),
        ...(wants(command, 'digest') ? [`${digestPart} ${whatDigestHas}`] : []),
        inLanguage(session),
      ].join('\n'),
    ],
    shape: shapeOf('reading', z.strictObject(fieldsOf(session, command, labels))),
  }
}

/** Whether the reply looked at a position that nearly all hold by its own labels. Nobody doubts a table that is split. */
const isAgainstLeading = (raw: unknown, session: Session, read: RoundRead): boolean => {
  if (!read.labels) return true
  const said = z.object({ against: z.string() }).safeParse(raw).data?.against.trim()
  const after = apply(session, { ...read, position: session.position, at: session.lastAt })
  const camp = challengedCamp(asLabelled(after), roundAt(after, read.round)!)
  if (!camp || !isEnough(session, camp.seats.length / session.seats.length)) return false
  return camp.id === said || camp.seats.some(seat => read.positions?.[seat] === said)
}

interface Found {
  readonly read: RoundRead
  readonly problems: readonly string[]
}

/** What can be used of a reply. Undefined: the round isn't labelled. */
const foundIn = (raw: unknown, session: Session, command: ReadRound): Found | { problem: string } => {
  const { round } = command
  const hasHeadlines = inOrder(session, passOf(command)).length > 0
  const labelled: HeadlineLabels | undefined | { problem: string } = hasHeadlines
    ? labelledBy(raw, session, passOf(command))
    : undefined
  if (labelled && 'problem' in labelled) return labelled
  const read: RoundRead = { type: 'round-read', round, ...labelled }
  const objected = wants(command, 'objection') ? objectionFrom(raw) : undefined
  const digested = wants(command, 'digest')
    ? digestFrom(z.object({ digest: z.unknown() }).safeParse(raw).data?.digest, session, round)
    : undefined
  const missing: ReadingPart[] = [
    ...(objected && 'problem' in objected ? (['objection'] as const) : []),
    ...(digested && 'problem' in digested ? (['digest'] as const) : []),
  ]
  const stands = objected && !('problem' in objected) && isAgainstLeading(raw, session, read)
  return {
    read: {
      ...read,
      ...(stands && objected),
      ...(digested && !('problem' in digested) && digested),
      ...(missing.length > 0 && { missing }),
    },
    problems: [objected, digested].flatMap(part => (part && 'problem' in part ? [part.problem] : [])),
  }
}

export const readRound: ModelStep<ReadRound> = {
  prompt: promptFor,
  read(raw, session, command) {
    const found = foundIn(raw, session, command)
    if ('problem' in found) return found
    return found.problems.length > 0 ? { problem: found.problems.join('; ') } : found.read
  },
  /** What is there stands, and what is missing is asked for by itself. */
  salvage(raw, session, command) {
    const found = foundIn(raw, session, command)
    return 'problem' in found ? undefined : found.read
  },
}
