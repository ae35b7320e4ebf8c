/** The challenger: before the table settles early, it looks for what everybody overlooked. */

import { z } from 'zod'
import type { Command, Digest } from '../core/event.ts'
import { type Kind, kinds, kindWords, shapeOf } from '../core/form.ts'
import { maskFor, unmasked, withNames } from '../core/mask.ts'
import { quoteStands } from '../core/question.ts'
import { answerIn, roundAt, type Session } from '../core/session.ts'
import { type Side, sidesOf } from '../count/group.ts'
import { countStatementsIn } from '../report/claims.ts'
import {
  challengedCamp,
  digestBatches,
  longestQuote,
  mostArguments,
  mostPositions,
  peerText,
  positionLine,
} from './answers.ts'
import {
  bareQuestionPart,
  fenced,
  inLanguage,
  moderatorSystem,
  questionPart,
  wholeSentences,
} from './parts.ts'
import type { ModelStep } from './protocol.ts'
import { advocateLetter, recordLines } from './statements.ts'

type Challenge = Command & { type: 'challenge' }

export const triedWords = 'What you tried against this position, and how it stood up, in at most 80 words.'

export const objectionFields = {
  tried: z.string().describe(triedWords),
  objection: z
    .string()
    .nullable()
    .describe(
      'The objection in whole sentences, at most 80 words; null if you found none that can be checked.',
    ),
  check: z.string().nullable().describe('How anybody could check it; null if there is no objection.'),
}

const replySchema = z.object(objectionFields)

const shape = shapeOf('challenge', replySchema)

/** Enough answers of the leading camp to object to. All of them would grow with the table. */
const mostExamples = 3

/** Models that find nothing write null, but also "None" or "No objection." */
const said = (value: string | null | undefined): string | undefined =>
  value && !/^(?:none|null|n\/a|no (?:checkable )?objections?)?\.?$/i.test(value.trim())
    ? value.trim()
    : undefined

/** What counts as an objection, in the same words wherever one is asked for. */
export const whatObjectionIs = [
  'Is there an error in it, or something it overlooks, that anybody could',
  'check: a wrong fact, a calculation, a conclusion that does not follow, a counterexample, a condition of the',
  'question that it misses? Matters of taste do not count. Say what it is in words that can stand alone: those who',
  'read it see the position, and not these answers.',
].join('\n')

/** The objection of a reply with its check, null if there is none, or what is wrong with it. */
export const objectionFrom = (raw: unknown): { objection: string | null } | { problem: string } => {
  // What it tried isn't kept. A reading leaves it out if there is nothing to object to.
  const reply = replySchema.pick({ objection: true, check: true }).partial().safeParse(raw)
  if (!reply.success) return { problem: 'objection is missing' }
  const [objection, check] = [said(reply.data.objection), said(reply.data.check)]
  const [count] = countStatementsIn(objection ?? '')
  if (count) return { problem: `it tells the seats a count: "${count.said}"` }
  return { objection: objection && check ? `${objection} (To check: ${check})` : null }
}

export const challenge: ModelStep<Challenge> = {
  prompt(session, { round }) {
    const current = roundAt(session, round)!
    const answers = (challengedCamp(session, current)?.seats ?? []).slice(0, mostExamples).flatMap(seat => {
      const answer = answerIn(current, seat)
      return answer ? [peerText(session, seat, answer)] : []
    })
    return {
      system: moderatorSystem.replace('moderate a round table', 'challenge a round table'),
      user: [
        questionPart(session),
        fenced(session, `challenge ${round}`, answers),
        [
          `These are answers of those who hold the leading position, three at most. ${whatObjectionIs}`,
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, _session, { round }) {
    const found = objectionFrom(raw)
    return 'problem' in found ? found : { type: 'challenge-made', round, ...found }
  },
}

// digest: What the table said, without names and counts: positions, and arguments in their authors' own words.

/** Each quote is looked up in an answer. A reply of nothing but quotes must not take longer than any other. */
const mostQuotesRead = 4 * mostArguments

type WriteDigest = Command & { type: 'write-digest' }

export const digestField = z.array(
  z.object({
    position: z.string().describe('The position in one sentence.'),
    arguments: z.array(
      z.object({
        seat: z.string().describe('The letter of the seat.'),
        quote: z
          .string()
          .describe(
            'Its exact words, copied letter by letter: whole sentences, figures included; Markdown signs may be left out.',
          ),
      }),
    ),
  }),
)

const digestReply = z.object({ positions: digestField })

const digestShape = shapeOf('digest', digestReply)

/** What goes into a digest: answers, or at a large table the digests of its parts. */
const material = (session: Session, { round, batch }: WriteDigest): string[] => {
  const current = roundAt(session, round)
  if (batch === undefined && current?.parts)
    return current.parts.flatMap(part => part?.positions ?? []).map(one => positionLine(session, one))
  const seats =
    batch === undefined ? digestBatches(session, round).flat() : digestBatches(session, round)[batch]
  return (seats ?? []).flatMap(seat => {
    const answer = answerIn(current, seat)
    return answer ? [peerText(session, seat, answer)] : []
  })
}

/** What goes into a digest, in the same words wherever one is asked for. */
export const whatDigestHas = [
  `List the different positions, at most ${mostPositions}, minorities included. For each give up to`,
  `${mostArguments} of its strongest arguments, by different seats, as exact quotes of at most ${longestQuote} characters.`,
  'The table checks positions by these quotes alone, so choose the sentences that carry the argument: its steps',
  'with their figures, and never a row of a table. A reader sees nothing else of the answer: begin where the thought',
  'begins. Never say how many seats hold a position. Judge nothing.',
].join('\n')

/** The digest of a reply, with the quotes that are where they should be; or what is wrong with it. */
export const digestFrom = (
  given: unknown,
  session: Session,
  round: number,
): { digest: Digest } | { problem: string } => {
  const reply = digestField.safeParse(given)
  if (!reply.success) return { problem: 'positions with arguments are missing' }
  const positions = reply.data.slice(0, mostPositions).map(one => ({
    position: one.position,
    arguments: one.arguments
      .slice(0, mostQuotesRead)
      .flatMap(({ seat, quote }) => verbatim(session, round, seat, quote))
      .filter((one, index, all) => all.findIndex(other => other.seat === one.seat) === index)
      .slice(0, mostArguments),
  }))
  const [count] = positions.flatMap(({ position }) => countStatementsIn(position))
  if (count) return { problem: `it tells the seats a count: "${count.said}"` }
  const quoted = positions.filter(position => position.arguments.length > 0)
  if (quoted.length === 0) return { problem: 'no quote is in the answer of the seat it names' }
  return { digest: { positions: quoted } }
}

export const digest: ModelStep<WriteDigest> = {
  prompt(session, command) {
    const { round, batch } = command
    const merging = batch === undefined && roundAt(session, round)?.parts !== undefined
    const fence = batch === undefined ? `digest ${round}` : `digest ${round} ${batch}`
    return {
      system: moderatorSystem,
      user: [
        questionPart(session),
        fenced(session, fence, material(session, command)),
        [
          ...(merging
            ? ['These are digests of parts of one table. Make one of them: equal positions become one.']
            : []),
          whatDigestHas,
          inLanguage(session),
        ].join('\n'),
      ],
      shape: digestShape,
    }
  },
  read(raw, session, { round, batch }) {
    const found = digestFrom(
      z.object({ positions: z.unknown() }).safeParse(raw).data?.positions,
      session,
      round,
    )
    if ('problem' in found) return found
    return {
      type: 'digest-written',
      round,
      ...(batch !== undefined && { batch }),
      ...found,
      by: 'moderator',
    }
  },
}

/** An argument stays only if its seat really wrote it. */
const verbatim = (
  session: Session,
  round: number,
  alias: string,
  quote: string,
): { seat: string; quote: string }[] => {
  const letter = alias
    .replace(/^seat\s+/i, '')
    .trim()
    .toUpperCase()
  const seat = session.seats.find(candidate => candidate.alias === letter)
  const answer = seat && answerIn(roundAt(session, round), seat.id)
  if (!seat || !answer) return []
  const mask = maskFor(session)
  const written = [answer.headline, answer.reasoning]
  const texts = [...written, ...written.map(mask)]
  return quoteStands(quote, texts)
    ? [{ seat: seat.id, quote: unmasked(session, wholeSentences(quote, longestQuote), written) }]
    : []
}

// kind: The moderator says what kind of question it is, so that nobody speaks of right and wrong in matters of taste.

/** A text is asked for by the format, so nobody has to guess it. */
const asked = kinds.filter((kind): kind is Exclude<Kind, 'text'> => kind !== 'text')

const kindShape = shapeOf(
  'kind',
  z.strictObject({
    reasoning: z.string().describe('What could settle the question, if anything, in one sentence.'),
    kind: z.enum(asked),
  }),
)

export const findKind: ModelStep<Command & { type: 'find-kind' }> = {
  prompt: session => ({
    system: moderatorSystem,
    user: [
      bareQuestionPart(session),
      [
        'Do not answer the question. Say what kind of question it is:',
        ...asked.map(kind => `"${kind}": ${kindWords[kind]}.`),
        'If two fit, take the one that says what most people who ask this would want to know.',
      ].join('\n'),
    ],
    shape: kindShape,
    maxOutputTokens: 400,
  }),
  read(raw) {
    const said = z.object({ kind: z.string() }).safeParse(raw).data?.kind.trim().toLowerCase()
    const kind = asked.find(one => one === said)
    return kind ? { type: 'kind-found', kind } : { problem: `kind isn't one of ${asked.join(', ')}` }
  },
}

// ruling: A judge without a seat rules whose case holds better, once in each order of the two positions.

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
