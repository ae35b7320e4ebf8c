/** A table of values by name, for line-ups and settings. */
import { asc, eq } from 'drizzle-orm'
import type { Json } from './archive/archive.ts'
import type { Database } from './database.ts'
import type { lineups, settings } from './schema.ts'

export const namedValues = (database: Database, table: typeof lineups | typeof settings) => ({
  async all(): Promise<Record<string, Json>> {
    const rows = await database.select().from(table).orderBy(asc(table.name))
    return Object.fromEntries(rows.map(row => [row.name, row.value]))
  },
  async one(name: string): Promise<Json | undefined> {
    const rows = await database.select().from(table).where(eq(table.name, name))
    return rows[0]?.value
  },
  async save(name: string, value: Json): Promise<void> {
    await database
      .insert(table)
      .values({ name, value })
      .onConflictDoUpdate({ target: table.name, set: { value } })
  },
  async add(name: string, value: Json): Promise<Json> {
    // The empty update makes the statement return an existing row, even one that was committed a moment ago.
    const rows = await database
      .insert(table)
      .values({ name, value })
      .onConflictDoUpdate({ target: table.name, set: { name } })
      .returning()
    return rows[0]!.value
  },
  async remove(name: string): Promise<Json | undefined> {
    const rows = await database.delete(table).where(eq(table.name, name)).returning()
    return rows[0]?.value
  },
})
