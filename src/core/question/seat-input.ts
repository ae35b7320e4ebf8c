/** A seat as a person writes it. */
import { z } from 'zod'
import { longestName, longestText } from '../log/bounds.ts'
import { voiceSchema } from '../log/event.ts'

export const seatInputSchema = z.union([
  z.string().min(1).max(longestName),
  z.strictObject({
    model: z.string().min(1).max(longestName),
    name: z.string().min(1).max(longestName).optional(),
    brief: z.string().max(longestText).optional(),
    ...voiceSchema.shape,
  }),
])
export type SeatInput = z.infer<typeof seatInputSchema>
