/** Requests and replies about accounts. */
import { z } from 'zod'

export const visibilities = ['private', 'team'] as const

export const visibilityBodySchema = z
  .strictObject({
    /** `private`: its owner alone. `team`: everybody with an account. */
    visibility: z.enum(visibilities),
  })
  .meta({ id: 'Visibility' })
export type VisibilityBody = z.input<typeof visibilityBodySchema>

export const meSchema = z
  .object({ person: z.object({ id: z.string(), name: z.string(), role: z.string() }).nullable() })
  .meta({ id: 'Me' })
export type MeReply = z.infer<typeof meSchema>
