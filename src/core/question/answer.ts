/** An answer: what a seat hands in for a round, as the log keeps it. */
import { z } from 'zod'
import { boundedName as name, boundedText as text } from '../log/bounds.ts'
import { normalForm } from './normal-form.ts'
import { mostOptions } from './question.ts'
import { trimmed } from './trimmed.ts'

export const reasons = ['error found', 'new evidence', 'reinterpretation', 'other'] as const
export type Reason = (typeof reasons)[number]

/** A seat saying whose words changed its mind. Only a credit that checks out counts. */
export const creditSchema = z.object({
  seat: name,
  quote: text,
  /** Whether the quoted words are in that peer's answer. */
  verified: z.boolean(),
})
export type Credit = z.infer<typeof creditSchema>

export const answerSchema = z.object({
  headline: text,
  reasoning: text,
  /** 0 to 1, or null if the seat gave none. */
  confidence: z.number().min(0).max(1).nullable(),
  choice: text.optional(),
  ranking: z.array(text).max(mostOptions).optional(),
  number: z.number().optional(),
  /** For how large a part of the table the seat expects its own choice; asked in the sealed round only. */
  expected: z.number().min(0).max(1).optional(),
  wouldChangeMind: text.optional(),
  /** ISO 639-1, as a detector found it; null if the text is too short to know. */
  language: name.nullable(),
  /** The answer is not in the session's language, and asking once more did not help. */
  drifted: z.boolean().optional(),
  /** What the seat says it did. The move is computed, never taken from here. */
  decision: z.enum(['keep', 'change']).optional(),
  reason: z.enum(reasons).optional(),
  credit: creditSchema.optional(),
})
export type Answer = z.infer<typeof answerSchema>

/**
 * Two headlines that differ in nothing but case, spacing and punctuation say the same. Signs that carry
 * meaning stay, or "C" and "C#", "$5" and "€5", "x = 1" and "x != 1" would be one camp.
 */
export const normalised = (text: string): string =>
  normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/!=/g, '≠')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[`^]|(?<=\s|^)-+(?=\s|$)|[^\p{L}\p{M}\p{N}\p{S}%#&@+/\\-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Text without differences in quotation marks, dashes, emphasis and spacing. */
const flattened = (text: string): string =>
  normalForm(text, 'NFKC')
    .replace(/[“”„«»"‘’‚]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Shorter quotes are found in nearly every text, so they prove nothing. */
const shortestQuote = 8

/** Whether the quoted words are in one of the texts. */
export const quoteStands = (quote: string, texts: readonly string[]): boolean => {
  const words = trimmed(flattened(quote), "'. ")
  return words.length >= shortestQuote && texts.some(text => flattened(text).includes(words))
}
