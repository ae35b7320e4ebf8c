/** What the session used before, by its log: a resumed session continues under the same budget. */
import type { Usage } from '../core/log/spent.ts'
import { callsIn, type Session } from '../core/log/state.ts'
import type { Provider } from '../providers/provider.ts'
import { priceOf } from './budget.ts'
import { resolveModel } from './context.ts'

export const usedBefore = (session: Session, providers: readonly Provider[]) => {
  const priced = (usage: Usage | undefined, name: string | null) => {
    if (!usage || name === null) return []
    const { provider, model } = resolveModel(providers, name)
    return [{ usage, price: priceOf(provider, provider.known(model).price) }]
  }
  return [
    ...session.roundsSoFar.flatMap(round =>
      session.seats.flatMap(seat =>
        callsIn(round, seat.id).flatMap(({ usage, by }) => priced(usage, by?.model ?? seat.model)),
      ),
    ),
    ...session.moderatorUsage.flatMap(usage => priced(usage, session.moderator)),
  ]
}
