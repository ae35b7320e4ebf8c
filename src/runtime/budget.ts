/** The budget of a session in dollars and tokens: no call is started that would exceed it. */
import type { Budget } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import { counted } from '../core/wording/numbers.ts'
import type { Price, Provider, TokenUsage } from '../providers/provider.ts'
import { dearestSearch } from '../providers/search/fees.ts'
import type { Charge } from '../store/ledger/ledger.ts'

/**
 * The price that counts against a budget for a model of unknown price: that of the most expensive models in wide use.
 * Its cost is still shown as unknown, but a budget can't ignore it.
 */
export const ceiling: Price = { input: 15, output: 75, search: dearestSearch }

/** What a call costs on top of a subscription. */
const onTop: Price = { input: 0, output: 0, search: 0 }

/** The price of a model, as far as it is known; a subscription pays for every model of its agent. */
export const priceOf = (
  provider: Pick<Provider, 'subscription'>,
  known: Price | undefined,
): Price | undefined => (provider.subscription ? onTop : known)

/** A fee that nobody knows counts as the highest. */
const feeFor = (searches: number, { search = dearestSearch }: Price): number => searches * search

export const costOf = (usage: TokenUsage, price: Price): number => {
  const { inputTokens, outputTokens, searches = 0 } = usage
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  const cached = Math.min(cachedTokens, inputTokens)
  const written = Math.min(cacheWriteTokens, inputTokens - cached)
  const reasoning = Math.min(reasoningTokens, outputTokens)
  const dollars =
    (inputTokens - cached - written) * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    (outputTokens - reasoning) * price.output +
    reasoning * (price.reasoning ?? price.output)
  return dollars / 1e6 + feeFor(searches, price)
}

/**
 * Our count of a reply can be higher than its maker's, whose tokens may be longer than ours. But a reply that has so many
 * times the tokens that it was allowed, by our count, has ignored its limit.
 */
export const mostOvercount = 4

/** What a call may use: its input, its searches, and between the least that is worth a call and the most that it can need. */
export interface Wanted {
  readonly inputTokens: number
  /** Absent: it can't search. */
  readonly searches?: number
  readonly leastOutput: number
  readonly mostOutput: number
}

export interface Reservation {
  /** How many tokens the reply may take: no more than is left. */
  readonly outputTokens: number
  /**
   * Asks for room for a reply of so many tokens by our count, while it arrives. Returns how many there is room for: all
   * without a budget, and otherwise no more than is left and than our count can be too high. Never waits.
   */
  extend(outputTokens: number): number
  settle(usage: Usage | undefined): void
}

export interface Meter {
  /**
   * Reserves everything that a call may use. If there is no room, it waits for the calls under way, because they may
   * use less than was reserved for them. Undefined: there is no room, or the signal aborted.
   */
  reserve(wanted: Wanted, price: Price | undefined, signal?: AbortSignal): Promise<Reservation | undefined>
  /** Calls have used more than the budget, because a provider used more than it was allowed. */
  readonly exceeded: boolean
  /** Why there is no room, in words. */
  readonly words: string
}

export const capWords = (budget: Budget): string =>
  [
    budget.usd !== undefined && `$${budget.usd}`,
    budget.tokens !== undefined && counted(budget.tokens, 'token'),
  ]
    .filter(Boolean)
    .join(' and ')

/** The highest price that a token can have: input may be written to a cache, and output may be reasoning. */
export const worst = (price: Price): Price => {
  const { input, output, cachedInput = 0, cacheWrite = 0, reasoning = 0 } = price
  return { ...price, input: Math.max(input, cachedInput, cacheWrite), output: Math.max(output, reasoning) }
}

/** Sums of dollars are a little off: that isn't spending. */
const roundingError = 1e-9

export const amountOf = (usage: TokenUsage, price: Price): Charge => ({
  usd: costOf(usage, price),
  tokens: usage.inputTokens + usage.outputTokens,
})

/** What was paid, by the log. */
const chargeOf = (usage: Usage): Charge => {
  const { usd, tokens } = amountOf(usage, ceiling)
  return { usd: usage.costUsd ?? usd, tokens }
}

const sum = (amounts: Iterable<Charge>): Charge => {
  let [usd, tokens] = [0, 0]
  for (const amount of amounts) {
    usd += amount.usd
    tokens += amount.tokens
  }
  return { usd, tokens }
}

/** What a call uses whatever it replies. */
type Before = Pick<Wanted, 'inputTokens' | 'searches'>

/** How many output tokens there is room for beside input and searches, if so much is left. Negative: not even for those. */
export const outputRoom = (left: Charge, { inputTokens, searches = 0 }: Before, price: Price): number => {
  const usd = left.usd - (inputTokens * price.input) / 1e6 - feeFor(searches, price)
  const tokens = left.tokens - inputTokens
  if (usd < 0 || tokens < 0) return -1
  const affordable = price.output > 0 ? (usd / price.output) * 1e6 : Infinity
  return Math.floor(Math.min(affordable, tokens))
}

/** Half of the room, so that one call that may use much doesn't make all others wait for it. */
export const outputFor = ({ leastOutput, mostOutput }: Wanted, room: number): number =>
  Math.min(mostOutput, Math.max(leastOutput, Math.floor(room / 2)))

export const meterFor = (budget: Budget | undefined, before: readonly Usage[] = []): Meter => {
  const limit = { usd: budget?.usd ?? Infinity, tokens: budget?.tokens ?? Infinity }
  let used = sum(before.map(chargeOf))
  const underWay = new Set<Charge>()
  let waiting: (() => void)[] = []

  const wake = (): void => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }

  /** How many output tokens there is room for, beside the input, the searches and everything that is reserved. */
  const roomFor = (before: Before, price: Price): number => {
    const taken = sum([used, ...underWay])
    return outputRoom({ usd: limit.usd - taken.usd, tokens: limit.tokens - taken.tokens }, before, price)
  }

  const tryToReserve = (wanted: Wanted, known: Price | undefined) => {
    const { inputTokens, searches, leastOutput } = wanted
    const before: Before = { inputTokens, ...(searches && { searches }) }
    const price = known ?? ceiling
    const room = roomFor(before, worst(price))
    if (room < leastOutput) return undefined
    const outputTokens = outputFor(wanted, room)
    let extended = outputTokens
    let reserved = amountOf({ ...before, outputTokens }, worst(price))
    underWay.add(reserved)
    return {
      outputTokens,
      extend(wanted: number) {
        const room = roomFor({ inputTokens: 0 }, worst(price))
        const most = room === Infinity ? Infinity : outputTokens * mostOvercount
        const more = Math.min(wanted - extended, most - extended, room)
        if (more <= 0 || !underWay.delete(reserved)) return extended
        extended += more
        reserved = amountOf({ ...before, outputTokens: extended }, worst(price))
        underWay.add(reserved)
        return extended
      },
      settle(usage: Usage | undefined) {
        if (!underWay.delete(reserved)) return
        if (usage) used = sum([used, amountOf(usage, price)])
        wake()
      },
    }
  }

  const whenSettled = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise(resolve => {
      const go = (): void => {
        signal?.removeEventListener('abort', go)
        resolve()
      }
      signal?.addEventListener('abort', go)
      waiting.push(go)
    })

  return {
    words: `The budget of ${capWords(budget ?? {})} has no room for another call.`,
    get exceeded() {
      return used.tokens > limit.tokens || used.usd > limit.usd * (1 + roundingError)
    },
    async reserve(wanted, price, signal) {
      while (!signal?.aborted) {
        const reservation = tryToReserve(wanted, price)
        if (reservation || underWay.size === 0) return reservation
        await whenSettled(signal)
      }
      return undefined
    },
  }
}
