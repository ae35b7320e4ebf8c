/** The budget of a session in dollars and tokens: no call is started that would exceed it. */
import type { Budget } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Price, TokenUsage } from '../providers/provider.ts'

/**
 * The price that counts against a budget for a model of unknown price: that of the most expensive models in wide use.
 * Its cost is still shown as unknown, but a budget can't ignore it.
 */
const ceiling: Price = { input: 15, output: 75 }

export const costOf = (usage: TokenUsage, price: Price): number => {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  const cached = Math.min(cachedTokens, inputTokens)
  const written = Math.min(cacheWriteTokens, inputTokens - cached)
  const reasoning = Math.min(reasoningTokens, outputTokens)
  const dollars =
    (inputTokens - cached - written) * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    (outputTokens - reasoning) * price.output +
    reasoning * (price.reasoning ?? price.output)
  return dollars / 1e6
}

export interface Meter {
  /** Reserves room for a call that is about to start. Undefined: there is none. */
  reserve(
    expected: TokenUsage,
    price: Price | undefined,
  ): { settle(usage: Usage | undefined): void } | undefined
  /** Why there is no room, in words. */
  readonly words: string
}

const capWords = (budget: Budget): string =>
  [budget.usd !== undefined && `$${budget.usd}`, budget.tokens !== undefined && `${budget.tokens} tokens`]
    .filter(Boolean)
    .join(' and ')

export const meterFor = (
  budget: Budget | undefined,
  before: readonly { usage: Usage; price?: Price }[] = [],
): Meter => {
  const limit = { usd: budget?.usd ?? Infinity, tokens: budget?.tokens ?? Infinity }
  let usd = 0
  let tokens = 0
  const add = (usage: TokenUsage, price: Price | undefined, sign: 1 | -1): void => {
    usd += sign * costOf(usage, price ?? ceiling)
    tokens += sign * (usage.inputTokens + usage.outputTokens)
  }
  for (const { usage, price } of before) add(usage, price, 1)
  return {
    words: `The budget of ${capWords(budget ?? {})} has no room for another call.`,
    reserve(expected, price) {
      add(expected, price, 1)
      if (usd > limit.usd || tokens > limit.tokens) {
        add(expected, price, -1)
        return undefined
      }
      return {
        settle(usage) {
          add(expected, price, -1)
          if (usage) add(usage, price, 1)
        },
      }
    },
  }
}
