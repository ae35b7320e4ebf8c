/** An archive in Postgres, embedded or on a server. The caller opens the database. */
import { and, arrayContains, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Archive, type Filing, type Filter, usualLimit } from './archive/archive.ts'
import { cursorFrom, cursorText } from './archive/cursor.ts'
import { askedBetween } from './asked.ts'
import type { Database } from './database.ts'
import { countSpending, spendingBetween, wholeLedger } from './ledger/postgres-ledger.ts'
import { checkedId } from './log.ts'
import { namedValues } from './named-values.ts'
import { fileOf, keepFiles } from './postgres-files.ts'
import { appendLog, readLog } from './postgres-log.ts'
import { recordRows } from './postgres-records.ts'
import { events, files, lineups, sessions, settings } from './schema.ts'
import { matching, newest, seenBy } from './search.ts'

const conditions = (filter: Filter, cursor: string | undefined): SQL[] => {
  const after = cursor === undefined ? undefined : cursorFrom(cursor)
  return [
    filter.model === undefined ? undefined : arrayContains(sessions.models, [filter.model]),
    filter.tag === undefined ? undefined : arrayContains(sessions.tags, [filter.tag]),
    filter.parent === undefined ? undefined : eq(sessions.parent, filter.parent),
    filter.protocol === undefined ? undefined : eq(sessions.protocol, filter.protocol),
    filter.level === undefined ? undefined : eq(sessions.level, filter.level),
    filter.outcome === undefined ? undefined : eq(sessions.outcome, filter.outcome),
    filter.from === undefined ? undefined : sql`${sessions.openedAt} COLLATE "C" >= ${filter.from}`,
    filter.before === undefined ? undefined : sql`${sessions.openedAt} COLLATE "C" < ${filter.before}`,
    filter.books ? isNotNull(sessions.book) : undefined,
    filter.viewer === undefined ? undefined : seenBy(filter.viewer),
    after &&
      sql`(${sessions.openedAt} COLLATE "C", ${sessions.id} COLLATE "C") < (${after.openedAt}, ${after.id})`,
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
  book: sessions.book,
  parent: sessions.parent,
  link: sessions.link,
  owner: sessions.owner,
  visibility: sessions.visibility,
}

/** Prepared, because each request for a session asks for it. */
const filingRow = (database: Database) =>
  database
    .select({ owner: sessions.owner, visibility: sessions.visibility, tags: sessions.tags })
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare('filing')

export const postgresArchive = (database: Database, close: () => Promise<void>): Archive => {
  const lineupRows = namedValues(database, lineups)
  const settingRows = namedValues(database, settings)
  const filing = filingRow(database)
  return {
    append: (id, added, ownership) => appendLog(database, id, added, ownership),
    async read(id, after = -1) {
      return readLog(database, checkedId(id), after)
    },
    list: async () => database.select(listedColumns).from(sessions).orderBy(newest),
    keepFiles: (id, kept) => keepFiles(database, checkedId(id), kept),
    file: (id, sha256) => fileOf(database, checkedId(id), sha256),
    async remove(id) {
      await database.transaction(async transaction => {
        // The session row first, because it fences off appends: otherwise an append in between would leave its events behind.
        await transaction.delete(sessions).where(eq(sessions.id, checkedId(id)))
        await transaction.delete(events).where(eq(events.session, id))
        await transaction.delete(files).where(eq(files.session, id))
      })
    },
    async find(filter = {}, { limit = usualLimit, cursor } = {}) {
      const rest = conditions(filter, cursor)
      const rows = await database
        .select(foundColumns)
        .from(sessions)
        .where(filter.words?.trim() ? matching(filter.words, rest, limit + 1) : and(...rest))
        .orderBy(newest)
        .limit(limit + 1)
      const page = rows.slice(0, limit).map(({ book, owner, visibility, ...row }) => ({
        ...row,
        ...(book && { book }),
        ...(owner !== null && { owner, visibility }),
      }))
      return { sessions: page, next: rows.length > limit ? cursorText(page.at(-1)!) : null }
    },
    async tag(id, tags) {
      const kept = [...new Set(tags)].sort()
      await database
        .update(sessions)
        .set({ tags: kept })
        .where(eq(sessions.id, checkedId(id)))
    },
    async filing(id) {
      const rows = await filing.execute({ id: checkedId(id) })
      return rows[0] as Filing | undefined
    },
    async own(id, ownership) {
      await database
        .update(sessions)
        .set(ownership)
        .where(eq(sessions.id, checkedId(id)))
    },
    lineups: lineupRows.all,
    saveLineup: lineupRows.save,
    async removeLineup(name) {
      await lineupRows.remove(name)
    },
    settings: settingRows.all,
    setting: settingRows.one,
    saveSetting: settingRows.save,
    addSetting: settingRows.add,
    removeSetting: settingRows.remove,
    ...recordRows(database),
    spending: (from, to) => spendingBetween(database, from, to),
    ledger: () => wholeLedger(database),
    countSpending: days => countSpending(database, days),
    asked: (from, to) => askedBetween(database, from, to),
    close,
  }
}
