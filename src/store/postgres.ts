/** An archive in Postgres, embedded or on a server: whoever opens the database hands it in. */
import { and, arrayContains, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { SessionEvent } from '../core/event.ts'
import { type Archive, type Filter, usualLimit } from './archive/archive.ts'
import { cursorAt, placeOf } from './archive/cursor.ts'
import { found, searchText } from './archive/summary.ts'
import type { Database } from './database.ts'
import { checkedId, firstPosition } from './log.ts'
import { namedValues } from './named-values.ts'
import { events, lineups, sessions, settings, stemmers } from './schema.ts'
import { PositionTaken } from './store.ts'

const newest = sql`${sessions.openedAt} COLLATE "C" DESC, ${sessions.id} COLLATE "C" DESC`

/** A session under way: one statement, so that the hot path is one trip to the database and one commit. */
const appendOn = async (database: Database, id: string, first: number, added: readonly SessionEvent[]) => {
  const texts = added.map(event => JSON.stringify(event))
  const { rows } = await database.execute(sql`
    WITH moved AS (
      UPDATE ${sessions} SET length = length + ${added.length}
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
    const made = await transaction.insert(sessions).values(row).onConflictDoNothing().returning()
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

const readLog = async (database: Database, id: string, after: number): Promise<SessionEvent[]> => {
  const rows = await database
    .select({ event: events.event })
    .from(events)
    .where(and(eq(events.session, id), gt(events.position, after)))
    .orderBy(asc(events.position))
  return rows.map(row => row.event)
}

/** The end of a session: what is listed and searched follows from the whole log. */
const finishLog = (database: Database, id: string, first: number, added: readonly SessionEvent[]) =>
  database.transaction(async transaction => {
    await appendOn(transaction, id, first, added)
    const { id: _id, ...row } = rowOf(await readLog(transaction, id, -1))
    await transaction.update(sessions).set(row).where(eq(sessions.id, id))
  })

/** Matches in any of the languages: whoever searches need not say in which one the session was. */
const queryFor = (words: string): SQL =>
  sql.join(
    ['simple', ...Object.values(stemmers)].map(
      language => sql`websearch_to_tsquery(${language}::regconfig, ${words.replaceAll('\0', ' ')})`,
    ),
    sql` || `,
  )

const conditions = (filter: Filter, cursor: string | undefined): SQL[] => {
  const place = cursor === undefined ? undefined : placeOf(cursor)
  return [
    filter.words?.trim() ? sql`${sessions.words} @@ (${queryFor(filter.words)})` : undefined,
    filter.model === undefined ? undefined : arrayContains(sessions.models, [filter.model]),
    filter.tag === undefined ? undefined : arrayContains(sessions.tags, [filter.tag]),
    filter.protocol === undefined ? undefined : eq(sessions.protocol, filter.protocol),
    filter.level === undefined ? undefined : eq(sessions.level, filter.level),
    filter.outcome === undefined ? undefined : eq(sessions.outcome, filter.outcome),
    filter.from === undefined ? undefined : sql`${sessions.openedAt} COLLATE "C" >= ${filter.from}`,
    filter.before === undefined ? undefined : sql`${sessions.openedAt} COLLATE "C" < ${filter.before}`,
    place &&
      sql`(${sessions.openedAt} COLLATE "C", ${sessions.id} COLLATE "C") < (${place.openedAt}, ${place.id})`,
  ].filter(condition => condition !== undefined)
}

const listedColumns = {
  id: sessions.id,
  question: sessions.question,
  openedAt: sessions.openedAt,
  outcome: sessions.outcome,
  level: sessions.level,
  line: sessions.line,
}
const foundColumns = {
  ...listedColumns,
  protocol: sessions.protocol,
  models: sessions.models,
  tags: sessions.tags,
}

export const postgresArchive = (database: Database, close: () => Promise<void>): Archive => {
  const lineupRows = namedValues(database, lineups)
  const settingRows = namedValues(database, settings)
  return {
    async append(id, added) {
      const first = firstPosition(added)
      checkedId(id)
      if (added.length === 0) return
      if (first === 0) await openLog(database, id, added)
      else if (added.at(-1)?.type === 'session-finished') await finishLog(database, id, first, added)
      else await appendOn(database, id, first, added)
    },
    async read(id, after = -1) {
      return readLog(database, checkedId(id), after)
    },
    list: async () => database.select(listedColumns).from(sessions).orderBy(newest),
    async remove(id) {
      await database.delete(sessions).where(eq(sessions.id, checkedId(id)))
    },
    async find(filter = {}, { limit = usualLimit, cursor } = {}) {
      const rows = await database
        .select(foundColumns)
        .from(sessions)
        .where(and(...conditions(filter, cursor)))
        .orderBy(newest)
        .limit(limit + 1)
      const page = rows.slice(0, limit)
      return { sessions: page, next: rows.length > limit ? cursorAt(page.at(-1)!) : null }
    },
    async tag(id, tags) {
      const kept = [...new Set(tags)].sort()
      await database
        .update(sessions)
        .set({ tags: kept })
        .where(eq(sessions.id, checkedId(id)))
    },
    lineups: lineupRows.all,
    saveLineup: lineupRows.save,
    removeLineup: lineupRows.remove,
    settings: settingRows.all,
    saveSetting: settingRows.save,
    close,
  }
}
