/** What a person sets once for all questions, and the form of a key. */
import { z } from 'zod'
import { longestDeadline } from '../log/bounds.ts'
import { mostSeats } from './ask-input.ts'
import { seatInputSchema } from './seat-input.ts'

/** A line break in a key would add a header to every call. */
export const keySchema = z
  .string()
  .trim()
  .min(1, 'Enter the key.')
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, 'A key has no spaces and only plain characters. Copy it again.')

/** The end of a key, by which its owner knows it. The end of a short one would be too much of it. */
export const keyEnding = (key: string): string => (key.length < 12 ? '…' : `…${key.slice(-4)}`)

/** A field that is left out has the program's default. */
export const savedDefaultsSchema = z.strictObject({
  seats: z.array(seatInputSchema).min(1).max(mostSeats).optional(),
  /** Null: nobody moderates. */
  moderator: z.string().min(1).max(300).nullable().optional(),
  /** Seconds for one answer. */
  deadline: z.number().positive().max(longestDeadline).optional(),
  /** In dollars. */
  budget: z.number().positive().optional(),
})
export type SavedDefaults = z.infer<typeof savedDefaultsSchema>
export const savedDefaultNames = savedDefaultsSchema.keyof().options
