/** The migrations: forward only. An archive that a newer version has migrated is refused, and left as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../core/errors.ts'

/** Beside this file, both in the source and in the build. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** When the last migration that this version knows was made. */
const lastKnown = (): number => {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly when: number }[]
  }
  return Math.max(...journal.entries.map(({ when }) => when))
}

type Query = (text: string) => Promise<{ readonly rows: readonly unknown[] }>

/** Throws UsageError if the database was migrated by a newer version. Call it before migrating. */
export const refuseNewer = async (query: Query): Promise<void> => {
  const { rows: tables } = await query("SELECT to_regclass('drizzle.__drizzle_migrations') AS name")
  if (!(tables[0] as { readonly name: string | null }).name) return
  const { rows } = await query('SELECT max(created_at) AS at FROM drizzle.__drizzle_migrations')
  const { at } = rows[0] as { readonly at: string | number | null }
  if (Number(at ?? 0) > lastKnown())
    throw new UsageError(
      'These sessions were saved by a newer version of Roundtable, which changed their tables. Use that version or a later one. Nothing was changed.',
    )
}
