/** Sums of what calls used: by seat, by round, and for the whole session. */
import type { Usage } from './spent.ts'
import { callsIn, type Round, type SeatCall, type Session } from './state.ts'

type Optional = 'estimated' | 'excessTokens' | 'searches' | 'subscription'
export type UsageSum = Required<Omit<Usage, Optional>> & Pick<Usage, Optional>

/** One unknown price makes the sum unknown: a sum of the known ones would look like the whole bill. */
const summedCost = (usages: readonly (Usage | undefined)[]): number | null => {
  let sum = 0
  for (const usage of usages) {
    if (!usage || usage.costUsd === null) return null
    sum += usage.costUsd
  }
  return Number(sum.toPrecision(12))
}

/** `undefined` stands for a call that was made and gave no figures. */
const sumOf = (usages: readonly (Usage | undefined)[]): UsageSum => {
  const sum = (
    field:
      | 'inputTokens'
      | 'outputTokens'
      | 'cachedTokens'
      | 'cacheWriteTokens'
      | 'reasoningTokens'
      | 'searches'
      | 'excessTokens',
  ): number => usages.reduce((total, usage) => total + (usage?.[field] ?? 0), 0)
  const excessTokens = sum('excessTokens')
  const searches = sum('searches')
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    reasoningTokens: sum('reasoningTokens'),
    costUsd: summedCost(usages),
    ...(searches > 0 && { searches }),
    ...(excessTokens > 0 && { excessTokens }),
    ...(usages.some(usage => usage?.estimated) && { estimated: true }),
    ...(usages.some(usage => usage?.subscription) && { subscription: true as const }),
  }
}

/** A call that failed without figures was not billed, as far as anybody knows; an answer always was. */
const usagesOf = (calls: readonly SeatCall[]): (Usage | undefined)[] =>
  calls.filter(({ failed, usage }) => !failed || usage).map(({ usage }) => usage)

const seatUsages = (session: Session, round: Round): (Usage | undefined)[] =>
  session.seats.flatMap(({ id }) => usagesOf(callsIn(round, id)))

export const usageOf = (session: Session): UsageSum =>
  sumOf([...session.roundsSoFar.flatMap(round => seatUsages(session, round)), ...session.moderatorUsage])

export const moderatorUsageOf = (session: Session): UsageSum => sumOf(session.moderatorUsage)

/** By seat id. */
export const usageBySeat = (session: Session): Record<string, UsageSum> =>
  Object.fromEntries(
    session.seats.map(({ id }) => [
      id,
      sumOf(session.roundsSoFar.flatMap(round => usagesOf(callsIn(round, id)))),
    ]),
  )

/** What the seats used in each round; the moderator's use is summed apart. */
export const usageByRound = (session: Session): (UsageSum & { readonly round: number })[] =>
  session.roundsSoFar.map(round => ({ round: round.index, ...sumOf(seatUsages(session, round)) }))
