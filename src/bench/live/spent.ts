/** What sessions used, in tokens and dollars. */
import type { Usage } from '../../core/log/spent.ts'
import type { Session } from '../../core/log/state.ts'

export interface Spent {
  readonly tokens: number
  /** Null: a price is unknown. */
  readonly costUsd: number | null
}

export const nothing: Spent = { tokens: 0, costUsd: 0 }

export const together = (all: readonly Spent[]): Spent =>
  all.reduce(
    (sum, one) => ({
      tokens: sum.tokens + one.tokens,
      costUsd: sum.costUsd === null || one.costUsd === null ? null : sum.costUsd + one.costUsd,
    }),
    nothing,
  )

/** A call without usage figures counts as free: nobody knows what it cost. */
export const spentOn = (usage: Usage | undefined): Spent =>
  usage ? { tokens: usage.inputTokens + usage.outputTokens, costUsd: usage.costUsd } : nothing

/** Of the whole session with its sealed round, even if another session paid for that. */
export const spentBy = (session: Session): Spent =>
  together([
    ...session.roundsSoFar.flatMap(round => Object.values(round.handedIn).map(({ usage }) => spentOn(usage))),
    ...session.moderatorUsage.map(spentOn),
  ])
