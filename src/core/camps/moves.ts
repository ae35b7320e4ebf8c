/** Moves: what a seat did from one round to the next, computed only from camps and headlines. */

import { answerBefore, answerIn, isClosed, type Round, roundBefore, type Session } from '../log/state.ts'
import { type Answer, type AnswerDecision, decisionOf, normalised, type Reason } from '../question/answer.ts'
import { isUnsupported } from '../question/citation.ts'
import { tallyOf } from '../verdict/tally.ts'
import { campOfSeat, groupingOf, isGrouped } from './camps.ts'
import { saysTheSame } from './regrouped.ts'

export const moves = ['held', 'refined', 'switched', 'silent', 'abstained'] as const
export type Move = (typeof moves)[number]

/** No earlier round has this camp. */
const isNew = (session: Session, { index }: Round, camp: string): boolean =>
  !session.roundsSoFar.some(
    round => round.index < index && groupingOf(session, round).camps.some(({ id }) => id === camp),
  )

/**
 * Null if there is nothing to compare with: in the sealed round, for a seat's first answer, and until the camps are
 * final. A move that is shown too early could be a false change of mind.
 * An imported transcript lacks its earlier rounds, so its own marks count, and are labelled as claims.
 */
export const moveOf = (session: Session, round: Round, seat: string): Move | null => {
  const handedIn = round.handedIn[seat]
  if (!handedIn) return null
  if (handedIn.status !== 'given') return round.index === 0 ? null : handedIn.status
  if (session.imported && !round.sealed) return session.imported.changed.includes(seat) ? 'switched' : 'held'
  const last = answerBefore(session, round.index, seat)
  const lastRound = roundBefore(session, round.index, seat)
  if (!last || !lastRound) return null
  if (session.question.format === 'text') return isRewritten(last, handedIn.answer) ? 'refined' : 'held'
  const [before, now] = [groupingOf(session, lastRound), groupingOf(session, round)]
  if (!isGrouped(before) || !isGrouped(now)) return null
  const to = campOfSeat(now, seat)
  // Nobody compared the headlines, so new words may mean the same. Only the words of another camp are a switch.
  const reworded = now.by === 'headline' && to !== undefined && isNew(session, round, to.id)
  if (campOfSeat(before, seat)?.id !== to?.id && !reworded) {
    const same = session.asLabelled
      ? keepsItsWord(handedIn.answer)
      : saysTheSame(round, lastRound, seat, now.unrelated)
    if (same === undefined) return null
    if (!same) return 'switched'
  }
  return normalised(last.headline) === normalised(handedIn.answer.headline) ? 'held' : 'refined'
}

/** The rounds, up to this one, in which a seat changed its mind: what it did last is not its whole way. */
export const changedIn = (session: Session, round: Round, seat: string): number[] =>
  session.roundsSoFar
    .filter(one => one.index <= round.index && moveOf(session, one, seat) === 'switched')
    .map(one => one.index)

/** Nothing that is shown of the round can change any more: its camps are final, and so are the moves of its seats. */
export const isSettled = (session: Session, round: Round): boolean =>
  isClosed(session, round) &&
  isGrouped(groupingOf(session, round)) &&
  session.seats.every(
    ({ id }) =>
      !answerIn(round, id) || !answerBefore(session, round.index, id) || moveOf(session, round, id) !== null,
  )

/** Until its two headlines are compared, a seat's own word decides. */
const keepsItsWord = (answer: Answer): boolean => {
  const said = decisionOf(answer)
  return said !== undefined && said !== 'changed'
}

/**
 * The seat's own word on its answer, if it is not what the camps show: it says that it kept its answer, and is in another
 * camp, or that it changed it, and is in the same one. The move stays what was computed.
 */
export const saidOtherwise = (session: Session, round: Round, seat: string): AnswerDecision | undefined => {
  const answer = answerIn(round, seat)
  const said = answer && decisionOf(answer)
  const move = moveOf(session, round, seat)
  if (move === 'switched') return said === 'kept' || said === 'conceded' ? said : undefined
  return said === 'changed' && (move === 'held' || move === 'refined') ? said : undefined
}

/** Spacing aside, a text that isn't word for word the same was rewritten. Nobody changes its mind with a text. */
export const isRewritten = (before: Answer, now: Answer): boolean => {
  const [first, second] = [before, now].map(({ text = '' }) => text.replace(/\s+/gu, ' ').trim())
  return first !== second
}

/** Into the camp that led the round before, out of it, or between other camps. */
export const directions = ['toward', 'away', 'aside'] as const
export type Direction = (typeof directions)[number]

/** A seat that left one camp for another, and the words it credits. */
export interface Flip {
  readonly seat: string
  readonly round: number
  /** Camp ids. */
  readonly from: string | null
  readonly to: string | null
  /** Relative to the camp that led the round before. Null if none did. */
  readonly direction: Direction | null
  readonly reason: Reason | null
  readonly credit: { readonly seat: string; readonly quote: string; readonly verified: boolean } | null
  /** How many of the passages that its new answer cites code did not find. Absent: none. */
  readonly unsupported?: number
}

const directionOf = (
  leading: string | null,
  from: string | undefined,
  to: string | undefined,
): Direction | null => {
  if (leading === null) return null
  if (to === leading) return 'toward'
  return from === leading ? 'away' : 'aside'
}

/** The camp that led the round before this one. */
const leadingBefore = (session: Session, index: number): string | null => {
  const before = session.roundsSoFar.findLast(round => round.index < index)
  return before ? tallyOf(session, before).leading : null
}

const unsupportedIn = (answer: Answer | undefined): Pick<Flip, 'unsupported'> => {
  const unsupported = answer?.citations?.filter(isUnsupported).length ?? 0
  return unsupported > 0 ? { unsupported } : {}
}

/** Every flip of the session, in order of rounds and seats. */
export const flipsOf = (session: Session): Flip[] =>
  session.roundsSoFar.flatMap(round => {
    const flipped = session.seats.filter(({ id }) => moveOf(session, round, id) === 'switched')
    const leading = flipped.length > 0 ? leadingBefore(session, round.index) : null
    return flipped.map(({ id: seat }): Flip => {
      const answer = answerIn(round, seat)
      const lastRound = roundBefore(session, round.index, seat)
      const from = lastRound && campOfSeat(groupingOf(session, lastRound), seat)?.id
      const to = campOfSeat(groupingOf(session, round), seat)?.id
      return {
        seat,
        round: round.index,
        from: from ?? null,
        to: to ?? null,
        direction: directionOf(leading, from, to),
        reason: answer?.reason ?? null,
        credit: answer?.credit ?? null,
        ...unsupportedIn(answer),
      }
    })
  })
