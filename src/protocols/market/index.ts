/** Seats stake their confidence at prices that they see. A purse from the track record decides how much it counts. */
import { marketOf, priceShift } from '../../core/group/market.ts'
import { settles } from '../../core/group/settles.ts'
import { shiftBetween, statisticsOf } from '../../core/group/statistics.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { argumentsOf, tokensPerRead } from '../argument-per-side.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { expectFigures, untilStable } from '../steps.ts'
import { stakePrompt } from './prompts.ts'

/** If no price moves by more than this, the market is stable. */
const stablePrice = 0.02

/** Without prices, the part of the group that may still move. */
const stableShift = 0.05

const isStable = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  if (round.sealed || !before) return false
  return settles(session)
    ? priceShift(session, round) <= stablePrice
    : shiftBetween(session, before, round) <= stableShift
}

export const market = (): Protocol => ({
  id: 'market',
  label: 'Market',
  summary: 'Seats bet on the options with their confidence and see the prices, until no price moves.',
  rounds: { usual: 2, most: 4 },
  stopsEarly: true,
  formats: ['choice'],
  tellsFigures: true,
  next: session => untilStable(session, isStable),
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : stakePrompt(session, seat, round),
  digest: (session, round) => ({
    positions: argumentsOf(session, round),
    figures: settles(session) ? marketOf(session, round) : statisticsOf(session, round),
  }),
  expect: load => expectFigures(load, tokensPerRead(load.answer)),
})
