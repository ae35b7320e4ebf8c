/** The challenger's objection as seats read it: with the position that it is against. */
import type { Camp } from '../core/camps/camp.ts'
import { asLabelled, groupingOf } from '../core/camps/camps.ts'
import { answerIn, type Round, type Session } from '../core/log/state.ts'
import { normalised } from '../core/question/answer.ts'
import { isVoteOnFact } from '../core/question/kind.ts'
import { maskFor } from '../core/wording/mask.ts'
import { positionOf } from './digest-lines.ts'
import { wholeSentences } from './whole-sentences.ts'

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
  const isItsOwn = normalised(positionOf(session, camp)) === normalised(answerIn(round, seat)?.headline ?? '')
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
