/** A question to be asked often: with blanks, and with the format, table and protocol that suit it. */
import { z } from 'zod'
import { wishSchema } from './ask-input.ts'
import { longestInstruction, longestQuestion } from './question.ts'

export const templateSchema = z.strictObject({
  /** What it is for, in one line. */
  about: z.string().max(300).optional(),
  ...wishSchema.pick({
    seats: true,
    lineup: true,
    temperature: true,
    effort: true,
    moderator: true,
    protocol: true,
    rounds: true,
    format: true,
    kind: true,
    options: true,
    scale: true,
    tolerance: true,
    length: true,
    camps: true,
    names: true,
    language: true,
    budget: true,
    deadline: true,
    patience: true,
    search: true,
    fetch: true,
  }).shape,
  question: z
    .string()
    .trim()
    .min(1, 'A template needs a question. Write blanks as {{name}}.')
    .max(longestQuestion),
  unit: z.string().max(200).optional(),
  instruction: z.string().max(longestInstruction).optional(),
})
export type Template = z.infer<typeof templateSchema>

/** What the blanks of a template are filled with, by name. */
export const fillSchema = z.record(z.string().max(40), z.string().max(20_000))

/** It becomes the name of a file. */
export const templateNameSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u,
    'Use letters, digits, spaces, "-" and "_", at most 60, and begin with a letter or digit.',
  )
