/** Sealed answers and a challenger; then seats read each other, or a digest at a larger table, and revise in one call. */
import type { Command } from '../../core/log/command.ts'
import { isClosed, latestRound, type Round, type Session } from '../../core/log/state.ts'
import { digestBatches } from '../large-table.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { asks, conclude, groupClosed, openNext } from '../steps.ts'
import { isText } from '../text-prompt.ts'
import { readsAnswers } from '../whole-answers.ts'
import { expect } from './expect.ts'
import { canChallenge, gate } from './gate.ts'
import { revisePrompt } from './prompts.ts'

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
