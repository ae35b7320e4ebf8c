/** What one call to a model took: tokens, money, time. */
import { z } from 'zod'

export const usageSchema = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  /** Part of the input that the provider had cached. */
  cachedTokens: z.number().nonnegative().optional(),
  /** Part of the input that the provider put into its cache, at a price of its own. */
  cacheWriteTokens: z.number().nonnegative().optional(),
  /** Part of the output that was hidden reasoning. */
  reasoningTokens: z.number().nonnegative().optional(),
  /** Null: the price is unknown. Never zero for want of knowledge. */
  costUsd: z.number().nonnegative().nullable(),
  /** The provider gave no figures, so the tokens are counted from the text. */
  estimated: z.boolean().optional(),
})
export type Usage = z.infer<typeof usageSchema>

export const timingSchema = z.object({
  /** Milliseconds from the call to its first token. */
  firstToken: z.number().nonnegative().nullable(),
  /** Milliseconds from the call to its end, retries included. */
  total: z.number().nonnegative(),
  attempts: z.number().int().positive(),
})
export type Timing = z.infer<typeof timingSchema>

/** On an event that a call led to. */
export const spent = { usage: usageSchema.optional(), timing: timingSchema.optional() }
