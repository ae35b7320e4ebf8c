/** One whole argument for each side of the group, in its author's words. Seats read these together with figures. */

import { z } from 'zod'
import { shuffled } from '../core/basics.ts'
import type { Command, Digest } from '../core/event.ts'
import { shapeOf } from '../core/form.ts'
import { maskFor } from '../core/mask.ts'
import { quartilesOf } from '../core/rules.ts'
import { answerIn, type Round, roundAt, type Session, type Statement, seatOf } from '../core/session.ts'
import { givenIn } from '../count/camps.ts'
import { fewestForQuartiles, type Side, sidesOf, turnsIn } from '../count/group.ts'
import { groupingOf } from '../count/settle.ts'
import { mostPositions, numberParts, ownText, peerText, positionOf, positionText } from './answers.ts'
import { briefPart, fenced, placePart, questionPart, system, wholeSentences } from './parts.ts'
import type { ModelStep } from './protocol.ts'

interface ArgumentSide {
  readonly position: string
  readonly seats: readonly string[]
}

const numberSides = (session: Session, round: Round): ArgumentSide[] => {
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

const rankingSides = (session: Session, round: Round): ArgumentSide[] => {
  const byFirst = Map.groupBy(givenIn(session, round), ({ answer }) => answer.ranking?.[0] ?? '')
  return [...byFirst].map(([option, given]) => ({
    position: `${option} in first place`,
    seats: given.map(({ seat }) => seat),
  }))
}

const sidesIn = (session: Session, round: Round): ArgumentSide[] => {
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
const newcomersTo = (session: Session, round: Round, { position, seats }: ArgumentSide): string[] => {
  const before = roundAt(session, round.index - 1)
  if (!before) return []
  const side = sidesIn(session, before).find(one => one.position === position)
  return seats.filter(seat => !side?.seats.includes(seat))
}

/** Newcomers speak first. Apart from that, chance decides who does. */
const speakersOf = (session: Session, round: Round, side: ArgumentSide): string[] => {
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

// examinationRecord: The record of a cross-examination as lines for a prompt: the two positions, then the turns as they were spoken.

const longestQuestion = 400

type Spoken = Statement & { readonly argument: string }

/** The turns in which something was said. */
export const spokenIn = (round: Round): Spoken[] =>
  (round.statements ?? []).filter((one): one is Spoken => one.argument !== undefined)

/** A position in words, without names. Sides have no other name: "first" would mean another one in the other order. */
const positionOfSide = (session: Session, { camp }: Side): string =>
  maskFor(session)(positionOf(session, camp))

/** The letter of the seat that speaks for a side; if several did, of the last one. */
export const advocateLetter = (session: Session, round: Round, { camp, advocate }: Side): string => {
  const spoke = spokenIn(round).findLast(({ seat }) => camp.seats.includes(seat))?.seat
  return seatOf(session, spoke ?? advocate ?? camp.seats[0] ?? '').alias
}

const spokenLine = (
  session: Session,
  statement: Spoken,
  { sides, reader }: { readonly sides: readonly Side[]; readonly reader?: string },
): string => {
  const mask = maskFor(session)
  const { turn, seat, argument, question, concedes } = statement
  const side = sides.find(({ camp }) => camp.seats.includes(seat))
  return JSON.stringify({
    turn: turn + 1,
    seat: seatOf(session, seat).alias,
    ...(seat === reader && { yours: true }),
    ...(side && { speaksFor: positionOfSide(session, side) }),
    argument: wholeSentences(mask(argument), longestArgument),
    ...(question && { question: wholeSentences(mask(question), longestQuestion) }),
    ...(concedes && { concedes: 'It grants that the other position is right.' }),
  })
}

/** A position, who speaks for it, and what that seat answered before the hearing, in a sentence. */
const positionLine = (session: Session, round: Round, side: Side): string => {
  const position = positionOfSide(session, side)
  const headline = side.advocate ? maskFor(session)(answerIn(round, side.advocate)?.headline ?? '') : ''
  return JSON.stringify({
    position,
    advocate: advocateLetter(session, round, side),
    ...(headline !== '' && headline !== position && { headline }),
  })
}

/** What the record is called: whoever spoke finds its own turns in it, in their place and marked, so it isn't of others alone. */
export const whatRecordIs = 'the record of a hearing'

/** Only the two lines that introduce the positions follow the order of `sides`. Without a reader: for the judge. */
export const recordLines = (
  session: Session,
  round: Round,
  sides: readonly Side[],
  reader?: string,
): string[] => [
  ...sides.map(side => positionLine(session, round, side)),
  ...spokenIn(round).map(one => spokenLine(session, one, { sides, reader })),
]

// statement: An advocate's turn: it answers what it was asked, argues for its camp and asks in return, or it concedes.

type MakeStatement = Command & { type: 'make-statement' }

const stances = ['maintain', 'concede'] as const

const replySchema = z.object({
  argument: z.string().describe('What you say in this turn, in Markdown.'),
  question: z
    .string()
    .nullable()
    .describe('One question that the other side must answer, in at most 40 words; null if you ask none.'),
  stance: z
    .enum(stances)
    .describe('maintain: you still hold your position. concede: the other side has convinced you.'),
})

/** A very small model may not stop by itself, and would keep the table waiting. */
const smallTurn = 400

const shape = shapeOf('statement', replySchema)

/** Positions are words of seats, so they stand only between the marks; here their advocates' letters stand for them. */
const whoSpeaks = (session: Session, round: Round, { turn, seat }: MakeStatement): string[] => {
  const sides = sidesOf(session, round) ?? []
  const [own, other] = (turn % 2 === 0 ? sides : sides.toReversed()).map(side =>
    advocateLetter(session, round, side),
  )
  if (own === undefined || other === undefined) return []
  const { alias } = seatOf(session, seat)
  const replaces = own === alias ? '' : ` in place of Seat ${own}`
  return [
    `You are Seat ${alias} and speak for your position${replaces}; Seat ${other} speaks for the other one.`,
    ...(spokenIn(round).some(one => one.seat === seat) ? ['Turns marked as yours are your own.'] : []),
  ]
}

/** Whoever begins knows what it argues against: the answer of the other advocate. */
const otherAnswer = (session: Session, round: Round, seat: string): string[] => {
  const other = sidesOf(session, round)?.find(({ camp }) => !camp.seats.includes(seat))?.advocate
  const answer = other && answerIn(round, other)
  return other && answer ? [peerText(session, other, answer)] : []
}

export const statement: ModelStep<MakeStatement> = {
  prompt(session, command) {
    const { round, turn, seat } = command
    const current = roundAt(session, round)!
    const sides = sidesOf(session, current) ?? []
    const answer = answerIn(current, seat)
    const closing = turn === turnsIn(session) - 1
    return {
      system,
      user: [
        questionPart(session),
        placePart(session, 'hearing'),
        fenced(
          session,
          `statement ${round} ${turn}`,
          [
            ...recordLines(session, current, sides, seat),
            ...(turn === 0 ? otherAnswer(session, current, seat) : []),
          ],
          whatRecordIs,
        ),
        ...(answer ? [ownText(session, seat, answer)] : []),
        ...briefPart(session, seat),
        [
          turn === 0
            ? 'You open the hearing. The record has the two positions, and the answer of the seat that speaks for the other one.'
            : 'The record has the two positions, and the turns in the order in which they were spoken.',
          ...whoSpeaks(session, current, command),
          ...(turn === 0
            ? []
            : [
                'If you were asked something, answer that first and straight: whoever evades a question weakens its case.',
              ]),
          'Make the strongest honest case: statements that can be checked, and the weakest point of the other side. The table',
          'reads only this record: quote what you attack.',
          'Grant what the other side has right. If it has convinced you, concede and say why: that is honourable, the hearing',
          'ends with it, and the table votes.',
          closing
            ? 'This is the last turn: set question to null.'
            : 'If you maintain your position, ask the one question that the other side will find hardest to answer.',
          'Keep the argument under 200 words.',
        ].join('\n'),
      ],
      // An advocate speaks in several turns.
      shared: 1,
      shape,
      ...(seatOf(session, seat).small && { maxOutputTokens: smallTurn }),
    }
  },
  read(raw, _session, { round, turn, seat }) {
    const reply = replySchema
      .partial({ question: true })
      .extend({ stance: z.string().nullish() })
      .safeParse(raw)
    const argument = reply.data?.argument.trim()
    if (!argument) return { problem: 'argument is missing' }
    const question = reply.data?.question?.trim() || null
    const concedes = reply.data?.stance?.trim().toLowerCase() === 'concede'
    const said = { argument, question, ...(concedes && { concedes: true as const }) }
    return { type: 'statement-made', round, turn, seat, said }
  },
}
