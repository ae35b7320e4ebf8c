/** A seat as a person writes it. */
import { z } from 'zod'
import { voiceSchema } from '../log/event.ts'

export const seatInputSchema = z.union([
  z.string().min(1),
  z.strictObject({
    model: z.string().min(1),
    name: z.string().min(1).optional(),
    brief: z.string().optional(),
    ...voiceSchema.shape,
  }),
])
export type SeatInput = z.infer<typeof seatInputSchema>
