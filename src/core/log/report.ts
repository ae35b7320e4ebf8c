/** What the moderator writes: the report, and the digest of a round. */
import { z } from 'zod'
import { figuresSchema } from '../group/figures.ts'
import { mostSeats, boundedName as name, boundedText as text } from './bounds.ts'

/** More reasons than this carry nothing. */
export const mostReasons = 8

export const reportSchema = z.object({
  /** The table's answer, one sentence. */
  answer: text,
  /** With `reasons`: what they and `moved` say, for readers that know nothing else. Otherwise the moderator's own text. */
  summary: text,
  /** What carried the answer; words of a seat are checked to be in its answers. */
  reasons: z
    .array(z.object({ reason: text, seat: name.optional(), quote: text.optional() }))
    .max(mostReasons)
    .optional(),
  /** Who moved whom. Absent if nobody moved or conceded anything. */
  moved: text.optional(),
  /** The strongest dissent. Absent if there is none. */
  counterpoint: text.optional(),
  /** What stayed open, what nobody could verify, and what would settle it. */
  open: text.optional(),
  unverified: text.optional(),
  settle: text.optional(),
})
export type Report = z.infer<typeof reportSchema>

const heldWords = { held: z.object({ seat: name, quote: text }).optional() }

/** A report as the moderator wrote it: seats by their letters, and placeholders where code fills in counts. */
export const reportDraftSchema = z.object({
  answer: text,
  /** Only in the earlier form, which had no reasons. */
  summary: text.optional(),
  reasons: z.array(z.object({ text, ...heldWords })).max(mostReasons),
  moved: text.optional(),
  counterpoint: z.object({ text, ...heldWords }).optional(),
  open: text.optional(),
  unverified: text.optional(),
  settle: text.optional(),
})
export type ReportDraft = z.infer<typeof reportDraftSchema>

export const digestSchema = z.object({
  positions: z
    .array(
      z.object({
        position: text,
        /** Words of a seat, checked to be in its answer. */
        arguments: z.array(z.object({ seat: name, quote: text })).max(mostSeats),
      }),
    )
    .max(mostSeats),
  /** What the group says as a whole, if the protocol shows it. */
  figures: figuresSchema.optional(),
})
export type Digest = z.infer<typeof digestSchema>
