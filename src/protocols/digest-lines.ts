/** A digest in a prompt: how large it may be, and how a position reads in it. */
import type { Camp } from '../core/camps/camp.ts'
import type { Digest } from '../core/log/event.ts'
import { answerIn, type Round, type Session, seatOf } from '../core/log/state.ts'
import { maskFor } from '../core/wording/mask.ts'
import { wholeSentences } from './whole-sentences.ts'

/** What a digest usually has. It doesn't grow with the table: it has at most this many positions and arguments. */
export const digestTokens = 1_000
export const mostPositions = 6
/** By different seats, so that the author of one can read the other. */
export const mostArguments = 2
/** Characters: enough for a step of an argument with its figures. */
export const longestQuote = 600
const longestPosition = 300

export const whatDigestIs =
  'Between the marks stand the positions at the table, and arguments for them in the words of some seats that hold them. How many hold one is left out.'

/** A position as the seats may read it: without names, and not longer than the others. */
export const positionText = (session: Session, position: string): string =>
  wholeSentences(maskFor(session)(position), longestPosition)

/** What a camp stands for: the value of a closed answer, or else the headline that represents it. */
export const positionOf = (
  { question }: Session,
  { label, headline }: Pick<Camp, 'label' | 'headline'>,
): string => (question.format === 'open' || question.format === 'text' ? headline : label)

interface Reader {
  readonly seat: string
  /** The round that the digest is about. */
  readonly round: Round
  /** Those who gave the same answer. */
  readonly camp: readonly string[]
}

type Quotes = Digest['positions'][number]['arguments']

const noteFor = (reader: Reader, quotes: Quotes, others: Quotes): object => {
  if (!quotes.some(({ seat }) => seat === reader.seat || reader.camp.includes(seat))) return {}
  if (others.length === 0) return { note: 'You hold this position, and nobody else is quoted for it.' }
  const words = others.length < quotes.length ? '; your own words are left out' : ''
  return { note: `You hold this position${words}.` }
}

/** A position for one reader: its own words aren't among those of the others. Without a reader: for the moderator. */
export const positionLine = (
  session: Session,
  { position, arguments: quotes }: Digest['positions'][number],
  reader?: Reader,
): string => {
  const mask = maskFor(session)
  const others = quotes.filter(({ seat }) => seat !== reader?.seat)
  const readingOf = (seat: string): object => {
    const reading = answerIn(reader?.round, seat)?.reading
    return reading ? { reading: mask(reading) } : {}
  }
  return JSON.stringify({
    position: positionText(session, position),
    ...(reader && noteFor(reader, quotes, others)),
    ...(others.length > 0 && {
      arguments: others.map(({ seat, quote }) => ({
        seat: seatOf(session, seat).alias,
        ...readingOf(seat),
        quote: mask(quote),
      })),
    }),
  })
}
