/** What a seat expects of the table, as the rule of the surprisingly popular answer needs it. */
import type { Answer } from './answer.ts'

/**
 * A seat says for how large a part of the table it expects its own answer; the rest is spread evenly. Asking
 * for every option would cost more words than it is worth.
 */
export const predictedShares = (
  options: readonly string[],
  answer: Answer | undefined,
): Map<string, number> | undefined => {
  const { choice, expected } = answer ?? {}
  if (choice === undefined || expected === undefined) return undefined
  const rest = (1 - expected) / Math.max(1, options.length - 1)
  return new Map(options.map(option => [option, option === choice ? expected : rest]))
}
