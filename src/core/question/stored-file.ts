/** A file beside a log: the bytes of an exhibit. Base64, because it also goes over sockets and into documents as JSON. */
import { z } from 'zod'
import { longestName } from '../log/bounds.ts'
import { sha256Schema } from './question.ts'

export const storedFileSchema = z.object({
  sha256: sha256Schema,
  media: z.string().max(longestName),
  data: z.string(),
})
export type StoredFile = Readonly<z.infer<typeof storedFileSchema>>
