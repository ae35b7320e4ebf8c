/** An answer: what a seat hands in for a round, as the log keeps it. */
import { z } from 'zod'
import { boundedName as name, boundedText as text } from '../log/bounds.ts'
import { citationSchema, mostCitations } from './citation.ts'
import { flattened, shortestQuote } from './flattened.ts'
import { normalForm } from './normal-form.ts'
import { mostOptions } from './question.ts'
import { foundPageSchema, mostFound } from './source.ts'
import { trimmed } from './trimmed.ts'

/** What became of a seat's last answer, in its own word. The move is computed, and only compared with it. */
export const decisions = ['kept', 'conceded', 'narrowed', 'changed'] as const
export type AnswerDecision = (typeof decisions)[number]

/** What brought a seat to concede, narrow or change. */
export const reasons = [
  "a peer's point",
  'the objection',
  'my own error',
  'another reading',
  'other',
] as const
/** Nobody reads a text's question otherwise, and nobody objects to a text. */
export const textReasons = [
  "a peer's point",
  'my own error',
  'other',
] as const satisfies readonly (typeof reasons)[number][]
/** Logs written before the second version of the prompts have these words. */
const earlierDecisions = ['keep', 'change'] as const
const earlierReasons = ['error found', 'new evidence', 'reinterpretation'] as const
export type Reason = (typeof reasons | typeof earlierReasons)[number]

/** How a peer's point stands, as a seat judges it. */
export const judgements = [
  'holds',
  'holds in part',
  'beside the point',
  'does not hold',
  'cannot be checked',
] as const
/** How a passage of a peer's text does its work. */
export const textJudgements = ['works', 'nearly works', 'does not work'] as const
/** A text is kept or rewritten: there is nothing to concede or to narrow. */
export const textDecisions = ['kept', 'changed'] as const satisfies readonly AnswerDecision[]
export type Judgement = (typeof judgements | typeof textJudgements)[number]

/** A seat saying whose words changed its mind. Only a credit that checks out counts. */
export const creditSchema = z.object({
  seat: name,
  quote: text,
  /** Whether the quoted words are in that peer's answer. */
  verified: z.boolean(),
})
export type Credit = z.infer<typeof creditSchema>

/** What a seat says of a peer's words in an open round, before it answers again. */
export const pointSchema = z.object({
  ...creditSchema.shape,
  judgement: z.enum([...judgements, ...textJudgements]),
  /** It is one of those that made the seat concede, narrow or change. */
  moved: z.literal(true).optional(),
  why: text,
})
export type Point = z.infer<typeof pointSchema>

/** More points of others than this nobody weighs in one answer. */
export const mostPoints = 12

export const answerSchema = z.object({
  headline: text,
  reasoning: text,
  /** How the seat understands an ambiguous question. */
  reading: text.optional(),
  /** What the seat says of its peers' points. */
  points: z.array(pointSchema).max(mostPoints).optional(),
  /** The words of exhibits that the answer relies on. */
  citations: z.array(citationSchema).max(mostCitations).optional(),
  /** Pages that the seat's own search reported. */
  found: z.array(foundPageSchema).max(mostFound).optional(),
  /** Seats search for themselves here, and the maker of this one has no search tool. */
  unsearched: z.literal(true).optional(),
  /** 0 to 1, or null if the seat gave none. */
  confidence: z.number().min(0).max(1).nullable(),
  choice: text.optional(),
  ranking: z.array(text).max(mostOptions).optional(),
  number: z.number().optional(),
  /** The range that the seat gives around its number. */
  low: z.number().optional(),
  high: z.number().optional(),
  /** What the seat wrote, if the question asks for a text. */
  text: text.optional(),
  /** For how large a part of the table the seat expects its own choice; asked in the sealed round only. */
  expected: z.number().min(0).max(1).optional(),
  wouldChangeMind: text.optional(),
  /** ISO 639-1, as a detector found it; null if the text is too short to know. */
  language: name.nullable(),
  /** The answer is not in the session's language, and asking once more did not help. */
  drifted: z.boolean().optional(),
  decision: z.enum([...decisions, ...earlierDecisions]).optional(),
  reason: z.enum([...reasons, ...earlierReasons]).optional(),
  /** The words that made the seat change, narrow or concede. */
  credit: creditSchema.optional(),
})
export type Answer = z.infer<typeof answerSchema>

/** The seat's own word on its answer, in today's words. */
export const decisionOf = ({ decision }: Pick<Answer, 'decision'>): AnswerDecision | undefined => {
  if (decision === 'keep') return 'kept'
  return decision === 'change' ? 'changed' : decision
}

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

/** Whether quoted words are in one of the texts, for many quotes of the same texts. */
export const quotesOf = (texts: readonly string[]): ((quote: string) => boolean) => {
  const flat = texts.map(flattened)
  return quote => {
    const words = trimmed(flattened(quote), "'. ")
    return words.length >= shortestQuote && flat.some(text => text.includes(words))
  }
}

/** Whether the quoted words are in one of the texts. */
export const quoteStands = (quote: string, texts: readonly string[]): boolean => quotesOf(texts)(quote)
