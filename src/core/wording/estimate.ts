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
  if (!costUsd) return 'price unknown'
  if (!subscription) return costRange(costUsd)
  return costUsd.high === 0 ? 'subscription' : `${costRange(costUsd)} and subscription`
}

interface Span {
  readonly value: number
  readonly unit: 's' | 'min' | 'h'
}

const spanOf = (seconds: number): Span => {
  if (seconds < 100) return { value: Math.round(seconds), unit: 's' }
  if (seconds < 7_200) return { value: Math.round(seconds / 60), unit: 'min' }
  return { value: Math.round(seconds / 3_600), unit: 'h' }
}

/** "8–40 s", "8 s to 5 min", "3–20 min": nobody counts in hundreds of seconds. */
const timeRange = ({ low, high }: Ends): string => {
  const [least, most] = [spanOf(low), spanOf(high)]
  return least.unit === most.unit
    ? `${rangeText(String(least.value), String(most.value))} ${most.unit}`
    : `${least.value} ${least.unit} to ${most.value} ${most.unit}`
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
  time: timeRange(estimate.seconds),
})

/** "Expected: 14–20 calls, 12k–20k tokens, $0.03–0.05, 8 s to 4 min" */
export const estimateLine = (estimate: EstimatedFigures): string => {
  const { calls, tokens, cost, time } = estimateText(estimate)
  return `Expected: ${calls} ${estimate.calls.high === 1 ? 'call' : 'calls'}, ${tokens} tokens, ${cost}, ${time}`
}
