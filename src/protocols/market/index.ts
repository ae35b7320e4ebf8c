/** Seats stake their confidence at prices that they see. A purse from the track record decides how much it counts. */
import { marketOf, priceShift } from '../../core/group/market.ts'
import type { Round, Session } from '../../core/log/state.ts'
import { argumentsOf } from '../argument-per-side.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { expectFigures, untilStable } from '../steps.ts'
import { marketTokens, stakePrompt } from './prompts.ts'

/** If no price moves by more than this, the market is stable. */
const stablePrice = 0.02

const isStable = (session: Session, round: Round): boolean =>
  !round.sealed && priceShift(session, round) <= stablePrice

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
    figures: marketOf(session, round),
  }),
  expect: load => expectFigures(load, marketTokens),
})
