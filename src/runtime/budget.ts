/** The cap on a session's dollars and tokens: nothing is started that would go over it. */
import type { Budget } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Price, TokenUsage } from '../providers/provider.ts'

/**
 * What a model of unknown price counts for against a dollar cap: as much as the dearest models in wide use.
 * Its cost is still shown as unknown; but a cap that ignores it would be no cap.
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
  /** Takes room for a call that is about to start; undefined: there is none. */
  reserve(
    expected: TokenUsage,
    price: Price | undefined,
  ): { settle(usage: Usage | undefined): void } | undefined
  /** What the cap says, in words. */
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
