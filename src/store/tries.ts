/** How often a run of a session was started without progress. An append to the log resets the count. */
import { eq, inArray, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { sessions } from './schema.ts'

/** Counts one more try of each session, and returns the new counts. Sessions that don't exist are left out. */
export const countTries = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await database
    .update(sessions)
    .set({ tries: sql`${sessions.tries} + 1` })
    .where(inArray(sessions.id, [...ids]))
    .returning({ id: sessions.id, tries: sessions.tries })
  return new Map(rows.map(({ id, tries }) => [id, tries]))
}

export const triesOf = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await database
    .select({ id: sessions.id, tries: sessions.tries })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
  return new Map(rows.map(({ id, tries }) => [id, tries]))
}

/** A run that was stopped for reasons outside of the session does not count as a try. */
export const uncountTry = async (database: Database, id: string): Promise<void> => {
  await database
    .update(sessions)
    .set({ tries: sql`greatest(${sessions.tries} - 1, 0)` })
    .where(eq(sessions.id, id))
}

/** The lengths of the logs, which are locked until the transaction ends. Sessions that don't exist are left out. */
export const lengthsHeld = async (
  transaction: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await transaction
    .select({ id: sessions.id, length: sessions.length })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    // Always in the same order: two transactions that lock in different orders would wait for each other.
    .orderBy(sessions.id)
    .for('update')
  return new Map(rows.map(({ id, length }) => [id, length]))
}
