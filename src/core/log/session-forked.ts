/** The event where a fork begins: everything before is copied from another session, and was paid for there. */
import { z } from 'zod'
import { lastRound } from './bounds.ts'
import { openedSchema } from './session-opened.ts'

/** From here on the table is as this event says. */
export const forkedSchema = z.object({
  type: z.literal('session-forked'),
  ...openedSchema.pick({
    seats: true,
    moderator: true,
    smallModerator: true,
    protocol: true,
    rounds: true,
    names: true,
    budget: true,
    purses: true,
    deadline: true,
    outsideDeadline: true,
    patience: true,
  }).shape,
  /** So many open rounds are held in any case, because somebody new has to be heard. */
  wanted: z.number().int().min(0).max(lastRound).optional(),
})
