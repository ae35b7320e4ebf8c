/** How often somebody began to run a session and got nowhere: an append to its log sets that back to zero. */
import { eq, inArray, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { sessions } from './schema.ts'

/** Counts one more try of each, and gives back how many there were; none of a session that is not here. */
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

/** A try that was given up for no fault of the session does not count. */
export const uncountTry = async (database: Database, id: string): Promise<void> => {
  await database
    .update(sessions)
    .set({ tries: sql`greatest(${sessions.tries} - 1, 0)` })
    .where(eq(sessions.id, id))
}

/** How long the logs are, held still until the transaction ends; none of a session that is not here. */
export const lengthsHeld = async (
  transaction: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await transaction
    .select({ id: sessions.id, length: sessions.length })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    // Whoever holds many takes them in one order: two in two orders would wait for each other.
    .orderBy(sessions.id)
    .for('update')
  return new Map(rows.map(({ id, length }) => [id, length]))
}
