/** The files of sessions in Postgres. */
import { and, eq } from 'drizzle-orm'
import type { StoredFile } from '../core/question/stored-file.ts'
import type { Database } from './database.ts'
import { files } from './schema.ts'

export const keepFiles = async (
  database: Database,
  session: string,
  kept: readonly StoredFile[],
): Promise<void> => {
  // One by one: together they could be larger than a statement may be.
  for (const { sha256, media, data } of kept)
    await database
      .insert(files)
      .values({ session, sha256, media, bytes: Buffer.from(data, 'base64') })
      .onConflictDoNothing()
}

export const fileOf = async (
  database: Database,
  session: string,
  sha256: string,
): Promise<StoredFile | undefined> => {
  const [row] = await database
    .select()
    .from(files)
    .where(and(eq(files.session, session), eq(files.sha256, sha256)))
  return row && { sha256, media: row.media, data: Buffer.from(row.bytes).toString('base64') }
}
