/** What one call to a model took: tokens, money, time. */
import { z } from 'zod'
import { largestAmount } from './bounds.ts'

const amount = z.number().min(0).max(largestAmount)

export const usageSchema = z.object({
  inputTokens: amount,
  outputTokens: amount,
  /** Part of the input that the provider had cached. */
  cachedTokens: amount.optional(),
  /** Part of the input that the provider put into its cache, at a price of its own. */
  cacheWriteTokens: amount.optional(),
  /** Part of the output that was hidden reasoning. */
  reasoningTokens: amount.optional(),
  /** Web searches, for each of which there is a fee in the cost. Absent: the call couldn't search. */
  searches: amount.optional(),
  /** Part of the tokens that the provider reports beyond what the call was allowed to use. */
  excessTokens: amount.optional(),
  /** Null: the price is unknown. Never zero for want of knowledge. */
  costUsd: amount.nullable(),
  /** The provider gave no figures, so the tokens are counted from the text. */
  estimated: z.boolean().optional(),
  /** The person's subscription to an agent paid for it, or for a part of it: `costUsd` is what came on top. */
  subscription: z.literal(true).optional(),
})
export type Usage = z.infer<typeof usageSchema>

export const timingSchema = z.object({
  /** Milliseconds from the call to its first token. */
  firstToken: amount.nullable(),
  /** Milliseconds from the call to its end, retries included. */
  total: amount,
  attempts: z.number().int().positive().max(largestAmount),
})
export type Timing = z.infer<typeof timingSchema>

/** On an event that a call led to. */
export const spent = {
  usage: usageSchema.optional(),
  timing: timingSchema.optional(),
  /** A late answer came while the moderator was reading: only what the call used counts, and it is made again. */
  outdated: z.literal(true).optional(),
}
