/** How many sessions each person opened on each day. */
import { and, isNotNull, sql } from 'drizzle-orm'
import type { DayAsked } from './archive/archive.ts'
import type { Database } from './database.ts'
import { sessions } from './schema.ts'

export const askedBetween = async (
  database: Database,
  from: string,
  to: string,
): Promise<readonly DayAsked[]> => {
  const day = sql<string>`left(${sessions.openedAt}, 10)`
  const rows = await database
    .select({ owner: sessions.owner, day, sessions: sql<number>`count(*)::int` })
    .from(sessions)
    .where(and(isNotNull(sessions.owner), sql`${day} COLLATE "C" BETWEEN ${from} AND ${to}`))
    .groupBy(sessions.owner, day)
  return rows.map(row => ({ ...row, owner: row.owner! }))
}
