/** The record of a cross-examination as lines for a prompt: one case after the other. */
import type { Side } from '../core/group/examination.ts'
import type { Round, Session, Statement } from '../core/log/state.ts'
import { seatOf } from '../core/log/state.ts'
import { maskFor } from '../core/wording/mask.ts'
import { cut } from './prompt-parts.ts'

const longestArgument = 1_600
const longestQuestion = 400

const spokenLine = (session: Session, { turn, seat, argument = '', question }: Spoken): string => {
  const mask = maskFor(session)
  return JSON.stringify({
    turn: turn + 1,
    seat: seatOf(session, seat).alias,
    argument: cut(mask(argument), longestArgument),
    ...(question && { question: cut(mask(question), longestQuestion) }),
  })
}

type Spoken = Statement & { readonly argument: string }

/** The turns in which something was said. */
export const spokenIn = (round: Round): Spoken[] =>
  (round.statements ?? []).filter((one): one is Spoken => one.argument !== undefined)

/** Each case is a block of its own, so that either can come first. The turns show what answers what. */
export const recordLines = (session: Session, round: Round, sides: readonly Side[]): string[] =>
  sides.flatMap(({ camp }, index) => [
    JSON.stringify({ side: index === 0 ? 'first' : 'second', position: maskFor(session)(camp.headline) }),
    ...spokenIn(round)
      .filter(({ seat }) => camp.seats.includes(seat))
      .map(one => spokenLine(session, one)),
  ])
