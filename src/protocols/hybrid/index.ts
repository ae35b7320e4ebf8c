/** Sealed answers and a challenger; then seats read each other, or a digest at a larger table, and revise in one call. */
import { asLabelled } from '../../core/camps/camps.ts'
import type { Command } from '../../core/log/command.ts'
import type { ReadingPart } from '../../core/log/event.ts'
import {
  answerIn,
  isClosed,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatsIn,
} from '../../core/log/state.ts'
import { decisionOf } from '../../core/question/answer.ts'
import { digestBatches, isLarge } from '../large-table.ts'
import { challengedCamp, isEnough } from '../objection.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { asks, conclude, groupClosed, isReady, isWanted, openNext, openRounds } from '../steps.ts'
import { isText } from '../text-prompt.ts'
import { readsAnswers } from '../whole-answers.ts'
import { expect } from './expect.ts'
import { canChallenge, gate } from './gate.ts'
import { revisePrompt } from './prompts.ts'
import { whenItTalks } from './when-it-talks.ts'

/** In the next round seats read each other's answers or texts, not a digest. */
const readsItself = (session: Session, round: Round): boolean =>
  isText(session) || readsAnswers(session, round.index + 1)

/** Texts aren't compared, and one more round that a person wants is held whatever the camps are. */
const canGoOn = (session: Session, round: Round): boolean => {
  if (isText(session) || (isWanted(session) && readsItself(session, round))) return true
  // The camps of a large table choose who speaks, so they are checked first.
  return isReady(session) && (!isLarge(session) || openRounds(session) >= session.rounds)
}

/** It may talk again, so the moderator is asked at once for what that would need. */
const partsOf = (session: Session, round: Round): readonly ReadingPart[] => {
  const isLast = round.index !== latestRound(session)?.index || openRounds(session) >= session.rounds
  if (isLast || isLarge(session) || isText(session) || !canChallenge(session)) return []
  const digest: readonly ReadingPart[] = readsItself(session, round) ? [] : ['digest']
  return mayBeChallenged(session, round) ? ['objection', ...digest] : digest
}

/** Whether nearly all may agree now: after an open round, those who led before and those who say that they moved. */
const mayBeChallenged = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  if (!before) return true
  const moved = session.seats.filter(({ id }) => decisionOf(answerIn(round, id) ?? {}) === 'changed')
  const led = challengedCamp(session, before)?.seats ?? []
  const most = new Set([...led, ...moved.map(({ id }) => id)]).size
  return moved.length > 0 && isEnough(session, most / seatsIn(session, round.index).length)
}

/** A table that needs a digest if there is an objection gets both in one call. */
const challenging = (session: Session, round: Round): Command => {
  const alone = isLarge(session) || round.digest || round.unread || readsItself(session, round)
  return alone
    ? { type: 'challenge', round: round.index }
    : { type: 'read-round', round: round.index, parts: ['objection', 'digest'] }
}

/** The digest of a large table is written in parts, all at the same time, and then from these parts. */
const digesting = (session: Session, round: Round): Command[] => {
  const whole: Command = { type: 'write-digest', round: round.index }
  const batches = canChallenge(session) ? digestBatches(session, round.index).length : 1
  const missing = Array.from({ length: batches }, (_, batch) => batch).filter(batch => !round.parts?.[batch])
  return batches === 1 || missing.length === 0 ? [whole] : missing.map(batch => ({ ...whole, batch }))
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
    const grouping = groupClosed(session, partsOf)
    // A closed round is checked while the next one is being answered, so that nobody waits.
    if (!isClosed(session, round)) return [...asks(session, round), ...grouping]
    if (grouping.length > 0 && !canGoOn(session, round)) return grouping
    const way = gate(grouping.length > 0 ? asLabelled(session) : session, round)
    if (way === 'wait') return grouping
    if (way === 'stop') return conclude(session, grouping)
    if (way === 'challenge') return [...grouping, challenging(session, round)]
    const hasReading = round.digest !== undefined || readsItself(session, round)
    return hasReading ? openNext(session) : [...grouping, ...digesting(session, round)]
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : revisePrompt(session, seat, round),
  expect,
  whenItTalks,
})
