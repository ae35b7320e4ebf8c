/** An attachment as it is asked for: a text, the bytes of a file, or a file of an earlier session. */
import { z } from 'zod'
import { attachmentSchema, placeSchema, sha256Schema } from './question.ts'

/** Bytes of one file, and characters of the base64 that holds them. */
export const largestFile = 20_000_000
const longestData = Math.ceil(largestFile / 3) * 4

export const attachmentWishSchema = z
  .object({
    /** The name of the file. Its ending says what it is, unless the bytes say otherwise. */
    name: z.string(),
    /** The text. Not needed for a file: it is read from the bytes. */
    text: z.string().optional(),
    /** The bytes of a file, as base64: text, Markdown, code, CSV, PDF, Word, Excel, HTML, PNG, JPEG, WebP or GIF. */
    data: z
      .string()
      .max(longestData, `A file has at most ${largestFile / 1_000_000} MB.`)
      .optional(),
    /** Instead of the bytes: the session that has this file already, by its SHA-256. */
    session: z.string().optional(),
    sha256: sha256Schema.optional(),
    media: z.string().optional(),
    places: z.array(placeSchema).readonly().optional(),
    width: attachmentSchema.shape.width,
    height: attachmentSchema.shape.height,
  })
  .refine(
    ({ text, data, session }) => text !== undefined || data !== undefined || session !== undefined,
    'An attachment needs a text, or the bytes of a file as base64 in "data".',
  )
export type AttachmentWish = z.infer<typeof attachmentWishSchema>
