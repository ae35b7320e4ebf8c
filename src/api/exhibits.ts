/** Files that are read before a question is asked. */
import { z } from 'zod'
import { attachmentSchema } from '../core/question/question.ts'
import { list } from './common.ts'

/** The bytes as base64. */
export const exhibitsBodySchema = z
  .strictObject({ files: z.array(z.strictObject({ name: z.string(), data: z.string() })).max(100) })
  .meta({ id: 'Files' })

export type ExhibitsBody = z.input<typeof exhibitsBodySchema>

export const exhibitsSchema = z
  .object({
    exhibits: list(attachmentSchema),
    /** Files that can't be attached, and why. */
    problems: list(z.string()),
  })
  .meta({ id: 'Exhibits' })
export type ExhibitsReply = z.infer<typeof exhibitsSchema>
