/** Anonymous rounds: seats read the group's statistics and one argument for each side, until answers are stable. */

import { shiftBetween, statisticsOf } from '../../core/group/statistics.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { argumentsOf, tokensPerRead } from '../argument-per-side.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { expectFigures, untilStable } from '../steps.ts'
import { feedbackPrompt } from './prompts.ts'

/** The part of the group that may still move when it counts as stable. */
const stableShift = 0.05

const isStable = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  return before !== undefined && shiftBetween(session, before, round) <= stableShift
}

export const delphi = (): Protocol => ({
  id: 'delphi',
  label: 'Delphi',
  summary: 'Seats see statistics about the group instead of each other, until its answers are stable.',
  rounds: { usual: 2, most: 4 },
  formats: ['open', 'choice', 'ranking', 'number'],
  stopsEarly: true,
  tellsFigures: true,
  next: session => untilStable(session, isStable),
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : feedbackPrompt(session, seat, round),
  digest(session, round) {
    const figures = statisticsOf(session, round)
    return { positions: argumentsOf(session, round), ...(figures && { figures }) }
  },
  expect: load => expectFigures(load, tokensPerRead(load.answer)),
})
