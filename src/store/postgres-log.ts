/** The logs of sessions in Postgres: appended under the fence of their position, and read. */
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { SessionEvent } from '../core/event.ts'
import { found, searchText } from './archive/summary.ts'
import type { Database } from './database.ts'
import { checkedId, firstPosition } from './log.ts'
import { events, sessions } from './schema.ts'
import { PositionTaken } from './store.ts'

/** A session under way: one statement, so that the hot path is one trip to the database and one commit. */
const appendOn = async (database: Database, id: string, first: number, added: readonly SessionEvent[]) => {
  const texts = added.map(event => JSON.stringify(event))
  const { rows } = await database.execute(sql`
    WITH moved AS (
      UPDATE ${sessions} SET length = length + ${added.length}, tries = 0
      WHERE id = ${id} AND length = ${first} RETURNING id
    )
    INSERT INTO ${events} (session, position, event)
    SELECT moved.id, ${first}::int + place - 1, text::json
    FROM moved, unnest(${sql.param(texts)}::text[]) WITH ORDINALITY AS added(text, place)
    RETURNING position`)
  if (rows.length === 0) throw new PositionTaken(id, first)
}

const rowOf = (log: readonly SessionEvent[]) => {
  const { tags: _tags, models, ...row } = found(log, [])
  return { ...row, models: [...models], text: searchText(log), length: log.length }
}

const openLog = async (database: Database, id: string, log: readonly SessionEvent[]): Promise<void> => {
  const language = log[0]?.type === 'session-opened' ? log[0].language : null
  await database.transaction(async transaction => {
    const row = { ...rowOf(log), id, language }
    const made = await transaction
      .insert(sessions)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: sessions.id })
    if (made.length === 0) throw new PositionTaken(id, 0)
    // Many at a time, and still fewer parameters than a statement may have.
    for (let from = 0; from < log.length; from += 1_000) {
      const part = log.slice(from, from + 1_000)
      await transaction
        .insert(events)
        .values(part.map(event => ({ session: id, position: event.position, event })))
    }
  })
}

export const readLog = async (database: Database, id: string, after: number): Promise<SessionEvent[]> => {
  const rows = await database
    .select({ event: events.event })
    .from(events)
    .where(and(eq(events.session, id), gt(events.position, after)))
    .orderBy(asc(events.position))
  return rows.map(row => row.event)
}

/** What is listed of a session that is over. Of a log that makes no sense, only that it failed. */
const endOf = (log: readonly SessionEvent[]) => {
  const last = log.at(-1)
  try {
    const { id: _id, ...row } = rowOf(log)
    return row
  } catch (error) {
    if (last?.type === 'session-finished' && last.outcome === 'failed') return { outcome: last.outcome }
    throw error
  }
}

/** The end of a session: what is listed and searched follows from the whole log. */
const finishLog = (database: Database, id: string, first: number, added: readonly SessionEvent[]) =>
  database.transaction(async transaction => {
    await appendOn(transaction, id, first, added)
    const row = endOf(await readLog(transaction, id, -1))
    await transaction.update(sessions).set(row).where(eq(sessions.id, id))
  })

/** Appends all events or none, also within a transaction of somebody else's. */
export const appendLog = async (
  database: Database,
  id: string,
  added: readonly SessionEvent[],
): Promise<void> => {
  const first = firstPosition(added)
  checkedId(id)
  if (added.length === 0) return
  if (first === 0) await openLog(database, id, added)
  else if (added.at(-1)?.type === 'session-finished') await finishLog(database, id, first, added)
  else await appendOn(database, id, first, added)
}
