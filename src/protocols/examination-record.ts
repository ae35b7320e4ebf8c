/** The record of a cross-examination as lines for a prompt: the two positions, then the turns as they were spoken. */
import type { Side } from '../core/group/examination.ts'
import type { Round, Session, Statement } from '../core/log/state.ts'
import { seatOf } from '../core/log/state.ts'
import { maskFor } from '../core/wording/mask.ts'
import { positionOf } from './digest-lines.ts'
import { wholeSentences } from './whole-sentences.ts'

const longestArgument = 1_600
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

/** What the record is called: whoever spoke finds its own turns in it, in their place and marked, so it isn't of others alone. */
export const whatRecordIs = 'the record of a hearing'

/** Only the two lines that introduce the positions follow the order of `sides`. Without a reader: for the judge. */
export const recordLines = (
  session: Session,
  round: Round,
  sides: readonly Side[],
  reader?: string,
): string[] => [
  ...sides.map(side =>
    JSON.stringify({
      position: positionOfSide(session, side),
      advocate: advocateLetter(session, round, side),
    }),
  ),
  ...spokenIn(round).map(one => spokenLine(session, one, { sides, reader })),
]
