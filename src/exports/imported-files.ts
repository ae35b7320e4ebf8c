/** The files that a document brings along. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SessionEvent } from '../core/log/event.ts'
import { type StoredFile, storedFileSchema } from '../core/question/stored-file.ts'

const holder = z.object({ files: z.array(storedFileSchema).max(100).optional() })

const hashOf = (data: string): string =>
  createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')

/** Only those that the log names, and whose bytes are what it says. The text must have been imported before. */
export const importedFiles = (text: string, [first]: readonly SessionEvent[]): StoredFile[] => {
  if (first?.type !== 'session-opened' || !/^\uFEFF?\s*\{/.test(text)) return []
  const named = new Map(first.question.attachments.map(({ sha256, media }) => [sha256, media]))
  const { files = [] } = holder.parse(JSON.parse(text.replace(/^\uFEFF/, '')))
  return files
    .filter(({ sha256, data }) => named.has(sha256) && hashOf(data) === sha256)
    .map(({ sha256, data, media }) => ({ sha256, data, media: named.get(sha256) ?? media }))
}
