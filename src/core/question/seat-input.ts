/** A seat as a person writes it. */
import { z } from 'zod'
import { longestDeadline, longestName, longestText } from '../log/bounds.ts'
import { voiceSchema } from '../log/event.ts'

export const seatInputSchema = z.union([
  z.string().min(1).max(longestName),
  z.strictObject({
    model: z.string().min(1).max(longestName),
    name: z.string().min(1).max(longestName).optional(),
    brief: z.string().max(longestText).optional(),
    /** Whether its model takes pictures. If left out: as far as it is known. */
    sees: z.boolean().optional(),
    ...voiceSchema.shape,
  }),
])
export type SeatInput = z.infer<typeof seatInputSchema>

/** Characters of a person's name. */
export const longestPersonName = 100

const personName = z.string().trim().min(1).max(longestPersonName)

/** A person as somebody writes them: a name, or a name with seconds of their own for each answer. */
export const personInputSchema = z.union([
  personName,
  z.strictObject({ name: personName, deadline: z.number().positive().max(longestDeadline).optional() }),
])
export type PersonInput = z.infer<typeof personInputSchema>
