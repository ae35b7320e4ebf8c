/**
 * What a database server does by itself and an embedded one doesn't: it frees the space of replaced rows, and updates the
 * statistics that the query planner needs.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'

/** Tables that have grown by a fifth and a megabyte since their last upkeep. */
const grown: SQL = sql`
  SELECT format('%I.%I', nspname, relname) AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')
    AND pg_relation_size(pg_class.oid) / 8192 > relpages * 1.2 + 128`

export const lookAfter = async (database: Database): Promise<void> => {
  const { rows } = await database.execute<{ name: string }>(grown)
  for (const { name } of rows as { name: string }[])
    await database.execute(sql`VACUUM (ANALYZE) ${sql.raw(name)}`)
}
