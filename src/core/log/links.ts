/** How a session belongs to another one: it asks on after it, or it shares its beginning. */
import { z } from 'zod'
import { lastRound, mostSeats, boundedName as name, boundedText as text } from './bounds.ts'

/** What a follow-up is told of the session before it. */
export const carries = ['verdict', 'camps', 'none'] as const
export type Carry = (typeof carries)[number]
export const usualCarry: Carry = 'camps'

/** Sessions that a follow-up is told of: the last ones of its thread. */
export const mostCarried = 5

/** One earlier session, in the words that code wrote for the next one. */
export const carriedSchema = z.object({
  session: name,
  question: text,
  /** The verdict in one line. */
  line: text,
  /** What the table answered. Absent: it came to no answer. */
  answer: text.optional(),
  camps: z
    .array(z.object({ headline: text, seats: z.number().int().min(0).max(mostSeats) }))
    .max(mostSeats)
    .optional(),
  /** Why those who weren't in the leading camp disagreed. */
  dissent: z.array(text).max(mostSeats).optional(),
})
export type Carried = z.infer<typeof carriedSchema>

export const afterSchema = z.object({
  session: name,
  carry: z.enum(carries),
  /** Oldest first. */
  carried: z.array(carriedSchema).max(mostCarried),
})
export type After = z.infer<typeof afterSchema>

export const forkedFromSchema = z.object({
  session: name,
  /** The last round that both share. Absent: only the question was taken, or an earlier wording of it. */
  round: z.number().int().min(0).max(lastRound).optional(),
})
export type ForkedFrom = z.infer<typeof forkedFromSchema>

/** How a session is linked to the one before it. */
export const linkKinds = ['follow-up', 'fork'] as const
export type LinkKind = (typeof linkKinds)[number]

export interface ParentLink {
  readonly session: string
  readonly kind: LinkKind
}

/** A fork of a follow-up belongs to what it was forked from. */
export const parentOf = ({
  after,
  forkedFrom,
}: {
  readonly after?: After
  readonly forkedFrom?: ForkedFrom
}): ParentLink | undefined => {
  if (forkedFrom) return { session: forkedFrom.session, kind: 'fork' }
  return after && { session: after.session, kind: 'follow-up' }
}
