/** Sealed answers and a challenger; then seats read each other, or a digest at a larger table, and revise in one call. */
import { groupingOf } from '../../core/camps/camps.ts'
import { moveOf } from '../../core/camps/moves.ts'
import { shiftBetween } from '../../core/group/statistics.ts'
import type { Command } from '../../core/log/command.ts'
import { isClosed, latestRound, type Round, roundAt, type Session } from '../../core/log/state.ts'
import { digestBatches, isLarge } from '../large-table.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import {
  asks,
  conclude,
  groupClosed,
  hasAnswers,
  isWanted,
  openNext,
  openRounds,
  supportOf,
} from '../steps.ts'
import { isText, nobodyRewrote } from '../text-prompt.ts'
import { readsAnswers } from '../whole-answers.ts'
import { expect } from './expect.ts'
import { revisePrompt } from './prompts.ts'

/** If this part of the table agrees, only a checkable objection opens another round. */
const enoughSupport = 0.8
/** The part of a large table that may still move when it counts as settled. */
const settledShift = 0.05

const nobodyMoved = (session: Session, round: Round): boolean =>
  !round.sealed && session.seats.every(seat => moveOf(session, round, seat.id) !== 'switched')

const canChallenge = ({ moderator, smallModerator }: Session): boolean =>
  moderator !== null && !smallModerator

/** The gate: whether the table should talk (again), or the challenger must be asked first. */
const gate = (session: Session, round: Round): 'talk' | 'stop' | 'challenge' => {
  if (openRounds(session) >= session.rounds || !hasAnswers(session, round)) return 'stop'
  if (isWanted(session)) return 'talk'
  if (isText(session)) return nobodyRewrote(session, round) ? 'stop' : 'talk'
  if (nobodyMoved(session, round) || hasSettled(session, round)) return 'stop'
  if (supportOf(session, groupingOf(session, round).camps) < enoughSupport) return 'talk'
  if (round.objection === undefined) return canChallenge(session) ? 'challenge' : 'stop'
  return round.objection === null ? 'stop' : 'talk'
}

/** The digest of a large table is written in parts, all at the same time, and then from these parts. */
const digesting = (session: Session, round: Round): Command[] => {
  const whole: Command = { type: 'write-digest', round: round.index }
  const batches = canChallenge(session) ? digestBatches(session, round.index).length : 1
  const missing = Array.from({ length: batches }, (_, batch) => batch).filter(batch => !round.parts?.[batch])
  return batches === 1 || missing.length === 0 ? [whole] : missing.map(batch => ({ ...whole, batch }))
}

/** At a large table somebody always moves. It is settled when hardly anybody moved in two rounds. */
const hasSettled = (session: Session, round: Round): boolean => {
  const [first, second] = [roundAt(session, round.index - 2), roundAt(session, round.index - 1)]
  if (!isLarge(session) || !first || !second) return false
  return [shiftBetween(session, first, second), shiftBetween(session, second, round)].every(
    shift => shift <= settledShift,
  )
}

export const hybrid = (): Protocol => ({
  id: 'hybrid',
  label: 'Hybrid',
  summary:
    'Seats read each other without names and revise, and a challenger doubts quick agreement. Stops when it no longer helps.',
  rounds: { usual: 2, most: 4 },
  stopsEarly: true,
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    if (!isClosed(session, round)) return asks(session, round)
    const grouping = groupClosed(session)
    if (grouping.length > 0) return grouping
    const way = gate(session, round)
    if (way === 'challenge') return [{ type: 'challenge', round: round.index }]
    if (way === 'stop') return conclude(session)
    const isReady = round.digest !== undefined || isText(session) || readsAnswers(session, round.index + 1)
    return isReady ? openNext(session) : digesting(session, round)
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : revisePrompt(session, seat, round),
  expect,
})
