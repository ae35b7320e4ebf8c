/** What a seat reads of an answer, another's or its own. */
import { shuffled } from '../core/basics.ts'
import type { Digest } from '../core/event.ts'
import { isVoteOnFact } from '../core/form.ts'
import { maskFor, seatLabel } from '../core/mask.ts'
import {
  type Answer,
  type Citation,
  headlineKey,
  isInPicture,
  type Question,
  quoteStands,
} from '../core/question.ts'
import { numbersText, valueText } from '../core/reply.ts'
import { answerBefore, answerIn, type Round, roundAt, type Session, seatOf } from '../core/session.ts'
import type { Camp } from '../count/camps.ts'
import { asLabelled, groupingOf } from '../count/settle.ts'
import { cut, fenced, shortened, wholeSentences } from './parts.ts'

/** How many citations of an answer others read, and how much of each. */
const mostCited = 6
const longestCited = 400

/** "1. Train, 2. Car": a sign between two options could be read as more or as less. */
const placesText = (ranking: readonly string[]): string =>
  ranking.map((option, index) => `${index + 1}. ${option}`).join(', ')

const rangePart = ({ unit }: Question, { low, high }: Pick<Answer, 'low' | 'high'>): object =>
  low !== undefined && high !== undefined ? { range: numbersText(low, high, unit) } : {}

/** The number of an answer and its range, for those who read only an argument of it. */
export const numberParts = (question: Question, answer: Answer): object =>
  question.format === 'number' ? { value: valueText(question, answer), ...rangePart(question, answer) } : {}

const unverifiedNote = (citation: Pick<Citation, 'address' | 'unreachable'>): string => {
  if (isInPicture(citation)) return 'a picture: code cannot look words up in it'
  if (citation.unreachable !== undefined) return 'code could not read this source'
  return `code did not find these words in the ${citation.address === undefined ? 'exhibit' : 'source'}`
}

/** A citation as others see it: they are told if its words aren't there. */
const citedText = (
  { exhibit, address, place, quote, verified, unreachable }: Citation,
  mask: (text: string) => string,
): object => ({
  exhibit,
  ...(address !== undefined && { address: mask(address) }),
  ...(place !== undefined && { place: mask(place) }),
  quote: cut(mask(quote), longestCited),
  ...(!verified && { note: unverifiedNote({ address, unreachable }) }),
})

/** The words and the value of an answer. What it says of other seats' points, and how sure it is, stays with its author. */
const wordsOf = (
  { question }: Session,
  { reading, headline, reasoning, ...value }: Answer,
  mask: (text: string) => string,
): object => ({
  ...(reading && { reading: mask(reading) }),
  ...(question.format !== 'open' && {
    value: value.ranking ? placesText(value.ranking) : valueText(question, { ...value, headline, reasoning }),
  }),
  ...rangePart(question, value),
  headline: mask(headline),
  reasoning: shortened(mask(reasoning)),
  ...(value.citations?.length && {
    cites: value.citations.slice(0, mostCited).map(one => citedText(one, mask)),
  }),
})

const masked = new WeakMap<Answer, { mask: unknown; seat: string; text: string }>()

/** What others see of an answer: its words and value without names. They see no confidence and no counts. */
export const peerText = (session: Session, seat: string, answer: Answer): string => {
  const mask = maskFor(session)
  const known = masked.get(answer)
  if (known?.mask === mask && known.seat === seat) return known.text
  const { alias, name } = seatOf(session, seat)
  const text = JSON.stringify({
    seat: alias,
    ...(session.names === 'shown' && { name }),
    ...wordsOf(session, answer, mask),
  })
  masked.set(answer, { mask, seat, text })
  return text
}

/** A seat's own last answer, and its letter, because others may mention it. */
export const ownText = (session: Session, seat: string, answer: Answer): string =>
  [
    `You are ${seatLabel(seatOf(session, seat))}. Your last answer was:`,
    JSON.stringify({
      ...wordsOf(session, answer, text => text),
      ...(answer.wouldChangeMind && { wouldChangeMind: answer.wouldChangeMind }),
    }),
  ].join('\n')

// commentsOnOwn: What others said of a seat's own words in the round before, so that it can answer. Words that it gave up are settled.

const longestComment = 1_000

/** Only of words that the seat really wrote, and that still stand in its answer. */
const commentLines = (session: Session, seat: string, round: number): string[] => {
  const mask = maskFor(session)
  const last = roundAt(session, round - 1)
  const { headline = '', reasoning = '', text = '' } = answerBefore(session, round, seat) ?? {}
  return session.seats.flatMap(({ id, alias }) =>
    (answerIn(last, id)?.points ?? [])
      .filter(
        point =>
          point.seat === seat && point.verified && quoteStands(point.quote, [headline, reasoning, text]),
      )
      .map(({ quote, judgement, why }) =>
        JSON.stringify({
          seat: alias,
          words: mask(quote),
          why: shortened(mask(why), longestComment),
          judgement,
        }),
      ),
  )
}

/** A part of the prompt, or nothing if nobody said anything. */
export const commentsPart = (session: Session, seat: string, round: number): string[] => {
  const lines = commentLines(session, seat, round)
  return lines.length > 0
    ? [
        fenced(
          session,
          `round ${round} seat ${seat} comments`,
          lines,
          'comments of others on words that still stand in your answer',
        ),
      ]
    : []
}

// digestLines: A digest in a prompt: how large it may be, and how a position reads in it.

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

// largeTable: Large tables: what a single call reads doesn't grow with the table, so tokens grow only with the number of seats.

/** From this many seats on, a few speak for the others, and digests are written in parts. */
const largeTable = 20
/** The most answers or headlines that the moderator reads in one call. */
export const batchSize = 25
export const mostDelegates = 16
/** This many camps, the largest, have a delegate each, whatever their size. */
const mostCamps = 12

export const isLarge = ({ seats }: Pick<Session, 'seats'>): boolean => isLargeCount(seats.length)

export const isLargeCount = (seats: number): boolean => seats >= largeTable

export const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, batch) =>
    items.slice(batch * batchSize, (batch + 1) * batchSize),
  )

/** How many seats each delegate speaks for if the camp gets one more. */
const weight = (size: number, delegates: number): number => size / (delegates + 1)

/** The delegates of each camp: one for each of the largest camps, the rest in proportion to size. */
const delegations = (sizes: readonly number[]): number[] => {
  const counts = sizes.map((_, index): number => (index < mostCamps ? 1 : 0))
  const seats = Math.min(
    mostDelegates,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  for (let given = counts.filter(count => count > 0).length; given < seats; given++) {
    const open = sizes.map((size, index) => (counts[index]! < size ? weight(size, counts[index]!) : 0))
    const next = open.indexOf(Math.max(...open))
    counts[next] = counts[next]! + 1
  }
  return counts
}

const remembered = new WeakMap<Round, ReadonlySet<string>>()

/** Who speaks for the camps of a closed round in the next one. The others only vote. */
export const delegatesAfter = (session: Session, round: Round): ReadonlySet<string> => {
  const known = remembered.get(round)
  if (known) return known
  const camps = [...groupingOf(session, round).camps].sort(
    (one, other) => other.seats.length - one.seats.length,
  )
  const counts = delegations(camps.map(camp => camp.seats.length))
  const delegates = new Set(
    camps.flatMap((camp, index) =>
      shuffled(camp.seats, `${session.seed} delegates ${round.index}`).slice(0, counts[index]),
    ),
  )
  remembered.set(round, delegates)
  return delegates
}

/** Whose answers of a round are read: everybody's, or those of the delegates. */
export const speakersIn = (session: Session, index: number): string[] => {
  const round = roundAt(session, index)
  const before = roundAt(session, index - 1)
  const answered = session.seats.map(({ id }) => id).filter(id => answerIn(round, id))
  if (!before || !isLarge(session)) return answered
  const delegates = delegatesAfter(session, before)
  const spoke = answered.filter(id => delegates.has(id))
  return spoke.length > 0 ? spoke : answered
}

/** The seats whose answers go into each part of a digest. Every part is a random sample. */
export const digestBatches = (session: Session, index: number): string[][] =>
  batchesOf(shuffled(speakersIn(session, index), `${session.seed} digest ${index}`))

// objection: The challenger's objection as seats read it: with the position that it is against.

const longestObjection = 1_500
/** If this part of the table agrees, only a checkable objection opens another round. */
export const enoughSupport = 0.8
/** On a question of fact, more than this part is enough: open rounds then gain nothing (decision 35). */
export const enoughOnFact = 0.5

/** Whether so large a part of the table agrees that only an objection opens another round. */
export const isEnough = (session: Session, support: number): boolean =>
  support >= enoughSupport || (isVoteOnFact(session) && support > enoughOnFact)

/** The camp that a challenger objects to: the largest one. */
export const challengedCamp = (session: Session, round: Round): Camp | undefined =>
  [...groupingOf(asLabelled(session), round).camps].sort(
    (one, other) => other.seats.length - one.seats.length,
  )[0]

/** The objection as a line for a prompt. Empty if there is none. */
export const objectionLines = (session: Session, round: Round | undefined): string[] => {
  if (!round?.objection) return []
  const mask = maskFor(session)
  const camp = challengedCamp(session, round)
  return [
    JSON.stringify({
      objection: wholeSentences(mask(round.objection), longestObjection),
      ...(camp && { against: mask(positionOf(session, camp)) }),
    }),
  ]
}

/** Whose position it is against, as the seat should see it. */
const whose = (session: Session, round: Round, seat: string): string => {
  const camp = challengedCamp(session, round)
  if (!camp?.seats.includes(seat)) return 'a position that you do not hold'
  if (session.question.format !== 'open') return 'a position that you share'
  const isItsOwn =
    headlineKey(positionOf(session, camp)) === headlineKey(answerIn(round, seat)?.headline ?? '')
  return isItsOwn ? 'your answer' : 'a position that you share, in the words of another seat'
}

/** What a seat is told about it. The prompt's last part: it differs from seat to seat. */
export const objectionTask = (session: Session, round: Round | undefined, seat: string): string[] => {
  if (!round?.objection) return []
  return [
    [
      `A challenger without a seat raised the objection at the end, against ${whose(session, round, seat)}.`,
      'Nobody has checked it. Say in your reasoning whether it holds. If it moves you most, the reason is "the objection".',
    ].join('\n'),
  ]
}

// plainDigest: The digest that code writes if no moderator did: each camp's headline, and how its first members argue.

export const plainDigest = (session: Session, round: number, batch?: number): Digest => {
  const current = roundAt(session, round)!
  const part = batch === undefined ? undefined : new Set(digestBatches(session, round)[batch])
  const camps = groupingOf(asLabelled(session), current).camps.flatMap(camp => {
    const seats = part ? camp.seats.filter(seat => part.has(seat)) : camp.seats
    return seats.length > 0 ? [{ position: positionOf(session, camp), seats }] : []
  })
  // Every position gets the same number of arguments: more for a larger camp would give away its size.
  const equal = Math.min(mostArguments, ...camps.map(camp => camp.seats.length))
  const positions = shuffled(camps, `${session.seed} plain digest ${round}`)
    .slice(0, mostPositions)
    .map(camp => ({
      position: camp.position,
      arguments: camp.seats.slice(0, equal).flatMap(seat => {
        const answer = answerIn(current, seat)
        return answer
          ? [{ seat, quote: wholeSentences(answer.reasoning || answer.headline, longestQuote) }]
          : []
      }),
    }))
  return { positions }
}

// wholeAnswers: Who reads whole answers, and how they stand in a prompt: without names, in the reader's own order, never its own.

/** Up to this many seats, everybody reads everybody. */
const smallTable = 8
/** Larger tables do so too if all answers together are no longer than eight seats usually write. Otherwise they get a digest. */
const mostReadTokens = 2_500
/** About as many characters make a token. */
const charactersPerToken = 4

/** Whether a table reads itself, if its answers together have that many tokens. */
export const readsItself = (seats: number, tokens: number): boolean =>
  seats <= smallTable || (!isLargeCount(seats) && tokens <= mostReadTokens)

const textsBefore = (session: Session, round: number): { seat: string; text: string }[] =>
  session.seats.flatMap(({ id }) => {
    const answer = answerBefore(session, round, id)
    return answer ? [{ seat: id, text: peerText(session, id, answer) }] : []
  })

/** Whether the seats of a round read each other's whole answers, or a digest of them. */
export const readsAnswers = (session: Session, round: number): boolean => {
  const { length } = session.seats
  if (length <= smallTable) return true
  const characters = textsBefore(session, round).reduce((sum, { text }) => sum + text.length, 0)
  return readsItself(length, characters / charactersPerToken)
}

/** The answers of the others, as lines for a prompt. */
export const answersOfOthers = (
  session: Session,
  seat: string,
  round: number,
): { readonly fence: string; readonly lines: readonly string[] } => {
  const fence = `round ${round} seat ${seat}`
  const others = textsBefore(session, round).filter(one => one.seat !== seat)
  return {
    fence,
    lines: shuffled(
      others.map(({ text }) => text),
      `${session.seed} ${fence}`,
    ),
  }
}

export const whatAnswersAre = 'Between the marks stand the answers of the other seats.'
