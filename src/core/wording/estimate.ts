/** What a session is expected to take, in words: calls, tokens, cost, time. */
import { dollars } from './money.ts'
import { rangeText, shortNumber } from './numbers.ts'

interface Ends {
  readonly low: number
  readonly high: number
}

export interface EstimatedFigures {
  readonly calls: Ends
  readonly inputTokens: Ends
  readonly outputTokens: Ends
  /** Null: the price of a model is unknown. */
  readonly costUsd: Ends | null
  /** A subscription pays for a part of it. */
  readonly subscription?: true | undefined
  readonly seconds: Ends
}

const between = ({ low, high }: Ends, words: (value: number) => string): string =>
  rangeText(words(low), words(high))

/** "$0.03–0.05": the sign once. */
const costRange = ({ low, high }: Ends): string =>
  dollars(low) === dollars(high) ? dollars(low) : `${dollars(low)}–${dollars(high).replace('$', '')}`

const costOf = ({ costUsd, subscription }: EstimatedFigures): string => {
  if (!costUsd) return 'unknown'
  if (!subscription) return costRange(costUsd)
  return costUsd.high === 0 ? 'subscription' : `${costRange(costUsd)} and subscription`
}

export interface EstimateText {
  readonly calls: string
  readonly tokens: string
  readonly cost: string
  readonly time: string
}

export const estimateText = (estimate: EstimatedFigures): EstimateText => ({
  calls: between(estimate.calls, shortNumber),
  tokens: between(
    {
      low: estimate.inputTokens.low + estimate.outputTokens.low,
      high: estimate.inputTokens.high + estimate.outputTokens.high,
    },
    shortNumber,
  ),
  cost: costOf(estimate),
  time: `${between(estimate.seconds, value => String(Math.round(value)))} s`,
})

/** "Expected: 14–20 calls, 12k–20k tokens, $0.03–0.05, 8–240 s" */
export const estimateLine = (estimate: EstimatedFigures): string => {
  const { calls, tokens, cost, time } = estimateText(estimate)
  const price = estimate.costUsd ? cost : `cost ${cost}`
  return `Expected: ${calls} ${estimate.calls.high === 1 ? 'call' : 'calls'}, ${tokens} tokens, ${price}, ${time}`
}
