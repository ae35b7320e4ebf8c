/** One whole argument for each side of the group, in its author's words. Seats read these together with figures. */

import { quartilesOf } from '../core/aggregation/number.ts'
import { givenIn } from '../core/camps/camp.ts'
import { groupingOf } from '../core/camps/camps.ts'
import { fewestForQuartiles } from '../core/group/statistics.ts'
import type { Digest } from '../core/log/event.ts'
import { answerIn, type Round, roundAt, type Session, seatOf } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'
import { maskFor } from '../core/wording/mask.ts'
import { numberParts } from './answer-texts.ts'
import { mostPositions, positionText } from './digest-lines.ts'
import { wholeSentences } from './whole-sentences.ts'

interface Side {
  readonly position: string
  readonly seats: readonly string[]
}

const numberSides = (session: Session, round: Round): Side[] => {
  const given = givenIn(session, round).map(({ seat, answer }) => ({ seat, number: answer.number ?? 0 }))
  const quartiles = quartilesOf(
    given.map(({ number }) => number),
    session.question.scale,
  )
  if (!quartiles) return []
  const { low, high } = quartiles
  const held = (fits: (number: number) => boolean): string[] =>
    given.filter(({ number }) => fits(number)).map(({ seat }) => seat)
  return [
    { position: 'below the middle half', seats: held(number => number < low) },
    { position: 'in the middle half', seats: held(number => number >= low && number <= high) },
    { position: 'above the middle half', seats: held(number => number > high) },
  ]
}

const rankingSides = (session: Session, round: Round): Side[] => {
  const byFirst = Map.groupBy(givenIn(session, round), ({ answer }) => answer.ranking?.[0] ?? '')
  return [...byFirst].map(([option, given]) => ({
    position: `${option} in first place`,
    seats: given.map(({ seat }) => seat),
  }))
}

const sidesIn = (session: Session, round: Round): Side[] => {
  const { format } = session.question
  if (format === 'number' && givenIn(session, round).length >= fewestForQuartiles)
    return numberSides(session, round)
  if (format === 'ranking') return rankingSides(session, round)
  return groupingOf(session, round).camps.map(({ label, seats }) => ({ position: label, seats }))
}

/** Characters: about as much as a seat is asked to write, so that most arguments are whole. */
const longestArgument = 1_600
/** The second one is for the author of the first: nobody is shown its own words. */
const argumentsPerSide = 2
/** Tokens of figures, and of the arguments that a seat reads if there are as many sides as usual. */
const figuresTokens = 100
const usualSides = 3
export const tokensPerRead = (answer: number): number =>
  figuresTokens + usualSides * Math.min(answer, longestArgument / 4)

/** Who came to a side in this round: what convinced them is news to everybody. */
const newcomersTo = (session: Session, round: Round, { position, seats }: Side): string[] => {
  const before = roundAt(session, round.index - 1)
  if (!before) return []
  const side = sidesIn(session, before).find(one => one.position === position)
  return seats.filter(seat => !side?.seats.includes(seat))
}

/** Newcomers speak first. Apart from that, chance decides who does. */
const speakersOf = (session: Session, round: Round, side: Side): string[] => {
  const newcomers = newcomersTo(session, round, side)
  const order = shuffled(side.seats, `${session.seed} side ${round.index} ${side.position}`)
  return [
    ...order.filter(seat => newcomers.includes(seat)),
    ...order.filter(seat => !newcomers.includes(seat)),
  ]
}

/** Arguments for each side, whatever its size. If there are many sides, the largest ones. */
export const argumentsOf = (session: Session, round: Round): Digest['positions'] =>
  sidesIn(session, round)
    .filter(side => side.seats.length > 0)
    .sort((one, other) => other.seats.length - one.seats.length)
    .slice(0, mostPositions)
    .map(side => ({
      position: side.position,
      arguments: speakersOf(session, round, side)
        .slice(0, argumentsPerSide)
        .map(seat => {
          const answer = answerIn(round, seat)
          return { seat, quote: wholeSentences(answer?.reasoning || answer?.headline || '', longestArgument) }
        }),
    }))

/** The options that nobody chose. A figure for them would be one that nobody gave. */
export const unchosenIn = (session: Session, round: Round): string[] => {
  const chosen = new Set(givenIn(session, round).map(({ answer }) => answer.choice))
  return session.question.format === 'choice'
    ? session.question.options.filter(option => !chosen.has(option))
    : []
}

/** What a side is shown with, for one reader: an argument that isn't its own. */
const argumentFor = (
  session: Session,
  quotes: Digest['positions'][number]['arguments'],
  reader: string,
  round: Round | undefined,
): object => {
  const other = quotes.find(({ seat }) => seat !== reader)
  if (!other) return quotes.length > 0 ? { note: 'Yours is the only argument for it.' } : {}
  const mask = maskFor(session)
  const answer = answerIn(round, other.seat)
  return {
    seat: seatOf(session, other.seat).alias,
    ...(answer?.reading && { reading: mask(answer.reading) }),
    ...(answer && numberParts(session.question, answer)),
    argument: mask(other.quote),
  }
}

/** The sides of a round as lines for one reader, each with what `more` adds to it, and the options nobody chose. */
export const sideLines = (
  session: Session,
  round: Round | undefined,
  reader: string,
  more: (position: string) => object,
): string[] => {
  const sides = (round?.digest?.positions ?? []).map(({ position, arguments: quotes }) => ({
    position: positionText(session, position),
    ...more(position),
    ...argumentFor(session, quotes, reader, round),
  }))
  const unchosen = round ? unchosenIn(session, round) : []
  return [...sides, ...unchosen.map(position => ({ position, note: 'Nobody chose it.' }))].map(line =>
    JSON.stringify(line),
  )
}

/** How many of those who answered hold each position. */
export const sharesIn = (session: Session, round: Round | undefined): ((position: string) => object) => {
  const figures = round?.digest?.figures
  const answered = round ? givenIn(session, round).length : 0
  const shares = new Map(
    figures?.kind === 'shares'
      ? figures.shares.map(one => [one.position, `${Math.round(one.share * answered)} of ${answered}`])
      : [],
  )
  return position => (shares.has(position) ? { seats: shares.get(position) } : {})
}

/** What the letters beside arguments are. A seat needs them to say whose point it weighs. */
export const whatLettersAre = ({ names }: Session): string[] =>
  names === 'hidden' ? ['A letter stands for a seat, and nobody is told who that is.'] : []
