/** Requests and replies about accounts. */
import { z } from 'zod'
import { roles } from '../core/role.ts'
import { list } from './common.ts'

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
