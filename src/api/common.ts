/** Schemas that several requests and replies share. */

import { z } from 'zod'
import { roles, usageKinds } from '../core/basics.ts'

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
/** The database stores positions in 32 bits. */
export const latestPosition = 2 ** 31 - 1
export const rangeSchema = z.object({ low: z.number(), high: z.number() })
/** Postgres can't store NUL in text. */
export const plainText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/, 'Remove the NUL character.')
/** Only with accounts, and of what was saved: whether whoever asks may delete it. */
export const mayDelete = z.boolean().optional()
export const flagSchema = z.enum(['true', 'false']).transform(word => word === 'true')

/** RFC 9457: the body of every reply that is not a success. `detail` says what to do. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** What kind of mistake it is, if there is more to say about it than `detail`. */
    kind: z.enum(usageKinds).optional(),
    /** Which parts of the request are wrong, if that is known. */
    errors: list(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>

// accounts: Requests and replies about accounts.

export const visibilities = ['private', 'team'] as const

export const visibilityBodySchema = z
  .strictObject({
    /** `private`: its owner alone. `team`: everybody with an account. */
    visibility: z.enum(visibilities),
  })
  .meta({ id: 'Visibility' })
export type VisibilityBody = z.input<typeof visibilityBodySchema>

/** What can be done to a session besides reading it. */
export const sessionActs = ['change-session', 'share-session', 'delete-session', 'fork-session'] as const
export type SessionAct = (typeof sessionActs)[number]

/** Whose a session is, for whoever asks. */
export const ownershipSchema = z.object({
  own: z.boolean(),
  visibility: z.enum(visibilities),
  /** The name of its owner; null if it is the team's. */
  by: z.string().nullable(),
  /** What you may do to it. */
  may: list(z.enum(sessionActs)),
})
export type OwnershipReply = z.infer<typeof ownershipSchema>

export const meSchema = z
  .object({
    person: z.object({ id: z.string(), name: z.string(), role: z.enum(roles) }).nullable(),
    /** What your account may do, such as `ask`. For sessions: to your own; what you may do to others is said with them. */
    may: list(z.string()),
  })
  .meta({ id: 'Me' })
export type MeReply = z.infer<typeof meSchema>
