/** What a session is expected to take, in a line. */
import type { Estimate, Range } from '../../table/estimate.ts'
import { dollars, short } from '../terminal/figures.ts'

const range = ({ low, high }: Range, words: (value: number) => string): string =>
  words(low) === words(high) ? words(low) : `${words(low)}–${words(high).replace(/^\$/, '')}`

/** "Expected: 14–20 calls, 12k–20k tokens, $0.03–0.05, 8–240 s" */
export const estimateWords = (estimate: Estimate): string => {
  const tokens: Range = {
    low: estimate.inputTokens.low + estimate.outputTokens.low,
    high: estimate.inputTokens.high + estimate.outputTokens.high,
  }
  const parts = [
    `${range(estimate.calls, String)} ${estimate.calls.high === 1 ? 'call' : 'calls'}`,
    `${range(tokens, short)} tokens`,
    estimate.costUsd ? range(estimate.costUsd, dollars) : 'cost unknown',
    `${range(estimate.seconds, value => String(Math.round(value)))} s`,
  ]
  return `Expected: ${parts.join(', ')}`
}
