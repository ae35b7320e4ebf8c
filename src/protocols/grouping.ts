/** Reads the text of a transcript's seat for what it says about its own change of mind. */

import { z } from 'zod'
import { shuffled } from '../core/basics.ts'
import {
  type Command,
  changeWords,
  commandKey,
  type Happening,
  type ReadingPart,
  type Relation,
  relations,
} from '../core/event.ts'
import { apply } from '../core/fold.ts'
import { isVoteOnFact, shapeOf } from '../core/form.ts'
import { comparedMaskFor, maskFor } from '../core/mask.ts'
import { quoteStands } from '../core/question.ts'
import { answerIn, type Reading, roundAt, type Session, seatOf } from '../core/session.ts'
import { answerAt } from '../count/camps.ts'
import { readingsOf, statedReadings } from '../count/moves.ts'
import { asLabelled, groupingOf } from '../count/settle.ts'
import { verdictOf } from '../count/verdict.ts'
import { readingTexts } from '../words/moves.ts'
import { batchesOf, challengedCamp, isEnough, isLarge, peerText } from './answers.ts'
import {
  digestField,
  digestFrom,
  objectionFields,
  objectionFrom,
  triedWords,
  whatDigestHas,
  whatObjectionIs,
} from './moderator.ts'
import {
  bareQuestionPart,
  cut,
  fenced,
  fencedToo,
  inLanguage,
  moderatorSystem,
  questionPart,
  shortened,
} from './parts.ts'
import type { ModelStep, Prompt } from './protocol.ts'
import { smallCheck } from './small-model.ts'

type CheckChange = Command & { type: 'check-change' }

const replySchema = z.strictObject({
  quote: z.string().describe('The exact words in which the text says so, copied letter by letter.'),
  says: z.enum(changeWords),
})

const shape = shapeOf('change', replySchema)

const textsOf = (session: Session, { round, seat }: CheckChange): string[] => {
  const { headline = '', reasoning = '' } = answerIn(roundAt(session, round), seat) ?? {}
  return [headline, reasoning]
}

export const change: ModelStep<CheckChange> = {
  prompt(session, command) {
    const [headline, reasoning] = textsOf(session, command)
    const { alias } = seatOf(session, command.seat)
    const text = JSON.stringify({ seat: alias, headline, reasoning: cut(reasoning ?? '') })
    return {
      system: moderatorSystem,
      user: [
        bareQuestionPart(session),
        fenced(session, `change ${command.seat}`, [text]),
        [
          'The seat wrote this after it had read what the others wrote. Judge by its own words alone, and not by what',
          'anybody claims about it: does it say that it changed its mind?',
          '"held": it says that its position stays, or is reinforced. "refined": its position stays, and it adds to it',
          'or words it anew. "switched": it gives up its earlier position for another one. "not told": it says nothing',
          'about that; the quote is empty then.',
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session, command) {
    const reply = z.object({ says: z.string(), quote: z.string().nullish() }).safeParse(raw)
    const says = changeWords.find(word => word === reply.data?.says.trim().toLowerCase())
    if (!says) return { problem: `says isn't one of ${changeWords.join(', ')}` }
    const quote = reply.data?.quote?.trim() ?? ''
    const verified = quoteStands(quote, textsOf(session, command))
    const { round, seat } = command
    return { type: 'change-checked', round, seat, says, quote, verified }
  },
}

// relationWords: What the four relations between two answers mean, in the same words wherever a moderator compares or groups.

export const relationWords = [
  'Two answers to the question can relate in four ways:',
  '- "same": whoever holds the one holds the other. They differ only in wording, order or detail.',
  '- "same with a caveat": the same answer, and one or both add a condition, a reservation or an emphasis. The person',
  '  who asked would still go away with the same answer.',
  '- "compatible": neither denies the other and a person could hold both, but they are not the same answer: at least',
  '  one of them recommends, names or claims something that matters and that the other leaves out. A shared topic or',
  '  tone does not make two answers the same.',
  '- "different": one denies what the other asserts, or they could not both be the answer. Of two answers that depend on',
  '  conditions: in a case that is likely enough to matter, one says yes and the other no.',
  'If you hesitate between "same with a caveat" and "compatible", ask: would the person who asked go away with the same',
  'answer from both? Only if so is it "same with a caveat". If one seat would reject a part of what the other says, they are',
  '"different" if that part is the answer, and "compatible" if it stands beside the answer.',
].join('\n')

// check: Compares a headline with the exemplar of its camp, both ways.

type Check = Command & { type: 'check-membership' }

const sameReplySchema = z.strictObject({
  why: z.string().describe('What both assert, and what only one of them does, in at most 40 words.'),
  relation: z.enum(relations),
})

const checkShape = shapeOf('relation', sameReplySchema)

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
  shape: checkShape,
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
  const mask = comparedMaskFor(session)
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

// checkAll: Compares all pairs of headlines of a round in one call.

type CheckAll = Command & { type: 'check-memberships' }
type Checked = Happening & { type: 'memberships-checked' }

/** What a field holds is said once, in the instructions: a description would come again with every pair. */
const pairSchema = z.strictObject({ why: z.string(), relation: z.enum(relations) })

const nameOf = (index: number): string => `p${index + 1}`

/** Some models leave out the reason and write the relation alone. */
const relationOf = (said: unknown): Relation | undefined =>
  relationNamed(z.object({ relation: z.unknown() }).safeParse(said).data?.relation ?? said)

/** What a reply says about the pairs, and which of them it leaves out. */
const checkedBy = (
  raw: unknown,
  { round, pairs }: CheckAll,
): Checked & Required<Pick<Checked, 'missing'>> => {
  const reply = z.record(z.string(), z.unknown()).safeParse(raw).data ?? {}
  const all = pairs.map((pair, index) => ({ ...pair, relation: relationOf(reply[nameOf(index)]) }))
  return {
    type: 'memberships-checked',
    round,
    checks: all.flatMap(({ relation, ...pair }) => (relation ? [{ ...pair, relation }] : [])),
    missing: all.flatMap(({ relation, ...pair }) => (relation ? [] : [pair])),
  }
}

export const checkAll: ModelStep<CheckAll> = {
  prompt(session, command) {
    const { round, pairs } = command
    const lines = pairs.map((pair, index) => {
      const [first, second] = headlinesOf(session, round, pair)
      return JSON.stringify({ pair: nameOf(index), first, second })
    })
    return {
      system: moderatorSystem,
      user: [
        bareQuestionPart(session),
        fenced(session, commandKey(command), lines),
        [
          relationWords,
          'For each pair: as answers to the question, how do the first and the second relate? Judge every pair by',
          'itself, whatever you said of the others. why: what both assert, and what only one of them does, in at most 30',
          'words.',
        ].join('\n'),
      ],
      shape: shapeOf(
        'relations',
        z.strictObject(Object.fromEntries(pairs.map((_, index) => [nameOf(index), pairSchema]))),
      ),
    }
  },
  read(raw, _session, command) {
    const { missing, ...whole } = checkedBy(raw, command)
    if (missing.length === 0) return whole
    const names = command.pairs.flatMap((pair, index) =>
      missing.some(({ seat, exemplar }) => seat === pair.seat && exemplar === pair.exemplar)
        ? [nameOf(index)]
        : [],
    )
    return { problem: `no relation, or an unknown one, for ${names.join(', ')}` }
  },
  /** What was said stands, and what is missing is asked one by one. */
  salvage: (raw, _session, command) => checkedBy(raw, command),
}

// group: The moderator says which headlines are the same position, and labels each position.

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
    headline: comparedMaskFor(session)(headlineIn(session, round, seat)),
  })

/** The part of a prompt that asks for positions and labels: the lines to sort, what is known, and what to do. */
export const labellingParts = (session: Session, pass: Pass, lines: readonly string[]): string[] => {
  const mask = comparedMaskFor(session)
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
  const mask = comparedMaskFor(session)
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

// readRound: A reading: what the moderator makes of a closed round in one call. It labels the headlines, and if the protocol wants
// it, looks for an objection to the position that leads and sums the round up for a table that is too large to read itself.

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

const { objection, check: readRoundCheck } = objectionFields
/** In a reading there may be nothing to object to, and it says so before it would think about it. */
const criticFields = {
  against: z
    .string()
    .nullable()
    .describe('The id of the position that so many seats hold; null if there is none.'),
  tried: z.string().nullable().describe(triedWords),
  objection,
  check: readRoundCheck,
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

// readingLines: What the report's author is told about how the table reads the question.

/** A reading is one line. */
const longestReading = 400

/** One JSON object a line, to go behind the fence: seats wrote the readings. Empty if words don't part the table. */
export const readingLines = (session: Session): string[] => {
  const mask = maskFor(session)
  return readingTexts({
    level: verdictOf(session).level,
    readings: readingsOf(session),
    name: seat => seatOf(session, seat).alias,
  }).map(({ reading, who }) =>
    JSON.stringify({ sealedReading: shortened(mask(reading), longestReading), seats: who }),
  )
}

// readings: The moderator puts together the ways in which seats read the question.

type GroupReadings = Command & { type: 'group-readings' }
const mostReadings = 40

const readingReplySchema = z.object({
  readings: z.array(
    z.object({
      reading: z.string().describe('How these seats read the question, in at most 25 words.'),
      seats: z.array(z.string()).describe('The letters of the seats that read it so.'),
    }),
  ),
})

const readingsShape = shapeOf('readings', readingReplySchema)

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
      shape: readingsShape,
    }
  },
  read(raw, session, command) {
    const reply = readingReplySchema.safeParse(raw)
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
