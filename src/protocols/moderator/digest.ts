/** What the table said, without names and counts: positions, and arguments in their authors' own words. */
import { z } from 'zod'
import type { Command } from '../../core/log/command.ts'
import type { Digest } from '../../core/log/event.ts'
import { answerIn, roundAt, type Session } from '../../core/log/state.ts'
import { quoteStands } from '../../core/question/answer.ts'
import { shapeOf } from '../../core/question/form.ts'
import { countStatementsIn } from '../../core/verdict/count-statements.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { peerText } from '../answer-texts.ts'
import { longestQuote, mostArguments, mostPositions, positionLine } from '../digest-lines.ts'
import { digestBatches } from '../large-table.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { wholeSentences } from '../whole-sentences.ts'
import { moderatorSystem } from './system.ts'

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

const replySchema = z.object({ positions: digestField })

const shape = shapeOf('digest', replySchema)

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
      shape,
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
  const texts = [answer.headline, answer.reasoning].flatMap(text => [text, mask(text)])
  return quoteStands(quote, texts) ? [{ seat: seat.id, quote: wholeSentences(quote, longestQuote) }] : []
}
