/** An archive in Postgres, embedded or on a server. The caller opens the database. */

import { setTimeout as sleep } from 'node:timers/promises'
import { and, arrayContains, asc, DrizzleQueryError, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { UsageError } from '../core/basics.ts'
import type { StoredFile } from '../core/excerpts.ts'
import {
  type Archive,
  type ArchiveMethod,
  archiveFrom,
  callOn,
  cursorFrom,
  cursorText,
  type DayAsked,
  type Filing,
  type Filter,
  type Json,
  type RecordKind,
  usualLimit,
} from './archive.ts'
import { appendLog, countSpending, readLog, spendingBetween, wholeLedger } from './postgres-log.ts'
import {
  type Database,
  events,
  files,
  lineups,
  matching,
  newest,
  records,
  seenBy,
  sessions,
  settings,
} from './schema.ts'
import { checkedId } from './store.ts'

// databaseAway: Tells a database that can't be reached from a statement that it refused, and waits until it is back.

/** Postgres ends or refuses a connection, or a connection breaks. */
const codes: ReadonlySet<string> = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300'],
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
])
/** Nobody listens at the address, or its name can't be resolved. */
const systemCalls: ReadonlySet<string> = new Set(['connect', 'getaddrinfo'])
/** The driver gives its own errors no code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/

/** Errors of statements wrap the reason; the one of a connection to several addresses has it in a list. */
const causesOf = (error: unknown): unknown[] => {
  const causes: unknown[] = []
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) {
    causes.push(one)
    if (one instanceof AggregateError) causes.push(...one.errors)
  }
  return causes
}

/** Whether the connection failed, so that the same call may succeed on another one. It may also have been carried out. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some(cause => {
    const { code = '', syscall = '', message } = cause as NodeJS.ErrnoException
    return codes.has(code) || code.startsWith('08') || systemCalls.has(syscall) || words.test(message)
  })

const shortest = 50
const longest = 1_000

const isFull = (error: unknown): boolean => UsageError.isInstance(error) && error.kind === 'disk-full'

export interface Wait {
  /** Aborted if nobody waits any more. */
  readonly signal: AbortSignal
  /** Called once, with the reason. */
  readonly begun: (error: unknown) => void
}

/** Tries again while the database is away or its disk is full. `again` is true if an earlier try failed. */
export const untilBack = async <T>(
  work: (again: boolean) => Promise<T>,
  { signal, begun }: Wait,
): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries > 0)
    } catch (error) {
      if (signal.aborted || !(isDatabaseAway(error) || isFull(error))) throw error
      if (tries === 0) begun(error)
      await sleep(Math.min(longest, shortest * 2 ** tries), undefined, { signal }).catch(() => {})
    }
  }
}

// readingAgain: Reads once more if the connection broke: the pool has another one, so the request can still be answered. What
// writes isn't tried again, because it may have been carried out.

const reads: ReadonlySet<ArchiveMethod> = new Set([
  ...(['read', 'list', 'find', 'file', 'filing', 'lineups', 'settings', 'setting'] as const),
  ...(['record', 'ownedRecord', 'records', 'spending', 'ledger', 'asked'] as const),
])

export const readingAgain = (archive: Archive): Archive =>
  archiveFrom(
    (method, given) => {
      const called = callOn(archive, method, given)
      if (!reads.has(method)) return called
      return called.catch((error: unknown) => {
        if (isDatabaseAway(error)) return callOn(archive, method, given)
        throw error
      })
    },
    () => archive.close(),
  )

// asked: How many sessions each person opened on each day.

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

// namedValues: A table of values by name, for line-ups and settings.

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

// postgresFiles: The files of sessions in Postgres.

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

// postgresRecords: Records in Postgres: values of a kind, by a key, and whose they are.

type RecordMethods = Pick<
  Archive,
  'record' | 'ownedRecord' | 'records' | 'saveRecord' | 'addRecord' | 'removeRecord'
>

const isOne = (kind: RecordKind, key: string): SQL | undefined =>
  and(eq(records.kind, kind), eq(records.key, key))

const target = [records.kind, records.key]

const { placeholder } = sql

const isNamed = and(eq(records.kind, placeholder('kind')), eq(records.key, placeholder('key')))

/** Prepared, because requests of people ask for them all the time. */
const oneRecord = (database: Database) =>
  database.select({ value: records.value }).from(records).where(isNamed).prepare('one_record')

const people = alias(records, 'people')

const recordWithPerson = (database: Database) =>
  database
    .select({ value: records.value, person: people.value })
    .from(records)
    .leftJoin(people, and(eq(people.kind, 'person' satisfies RecordKind), eq(people.key, records.owner)))
    .where(isNamed)
    .prepare('record_with_person')

export const recordRows = (
  database: Database,
  one = oneRecord(database),
  withPerson = recordWithPerson(database),
): RecordMethods => ({
  async record(kind, key) {
    const rows = await one.execute({ kind, key })
    return rows[0]?.value
  },
  async ownedRecord(kind, key) {
    const rows = await withPerson.execute({ kind, key })
    return rows[0]
  },
  async records(kind, { owner, before, limit } = {}) {
    const found = database
      .select({ key: records.key, owner: records.owner, value: records.value })
      .from(records)
      .where(
        and(
          eq(records.kind, kind),
          owner === undefined ? undefined : eq(records.owner, owner),
          before === undefined ? undefined : sql`${records.key} COLLATE "C" < ${before}`,
        ),
      )
      .orderBy(sql`${records.key} COLLATE "C" DESC`)
    return limit === undefined ? found : found.limit(limit)
  },
  async saveRecord(kind, key, value, owner) {
    const row = { value, owner: owner ?? null }
    await database
      .insert(records)
      .values({ kind, key, ...row })
      .onConflictDoUpdate({ target, set: row })
  },
  async addRecord(kind, key, value, owner) {
    // The empty update makes the statement return an existing row, even one that was committed a moment ago.
    const rows = await database
      .insert(records)
      .values({ kind, key, value, owner: owner ?? null })
      .onConflictDoUpdate({ target, set: { key } })
      .returning({ value: records.value })
    return rows[0]!.value
  },
  async removeRecord(kind, key) {
    const rows = await database.delete(records).where(isOne(kind, key)).returning({ value: records.value })
    return rows[0]?.value
  },
})

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

// quietQueries: Errors of queries without the values of the query. The driver puts them into the message, and Postgres into its details:
// questions, answers, tokens of share links. From there they would get into logs, replies and terminals.

/** Where the drivers and Postgres repeat values. */
const telling = ['query', 'params', 'queryOptions', 'detail', 'where', 'internalQuery'] as const

/** Class 22 of Postgres' codes, data exceptions: a message about a value that it can't read repeats the value. */
const isAboutValue = ({ code }: NodeJS.ErrnoException): boolean => /^22[0-9A-Z]{3}$/.test(code ?? '')

/** The cause stays, because its code tells what to do. */
const quietCause = (cause: NodeJS.ErrnoException | undefined): NodeJS.ErrnoException | undefined => {
  if (!cause) return undefined
  if (isAboutValue(cause))
    return Object.assign(new Error(`the database can't take a value (code ${cause.code})`), {
      code: cause.code,
    })
  for (const name of telling) Reflect.deleteProperty(cause, name)
  return cause
}

/** A query that failed, without its values. The cause is the database's, or that of the connection. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
}

const quietError = (error: unknown): unknown => {
  if (!(error instanceof DrizzleQueryError)) return error
  const cause = quietCause(error.cause as NodeJS.ErrnoException | undefined)
  return new QueryFailed(`A query failed: ${cause?.message || cause?.code || 'no reason given'}`, { cause })
}

const quieted = new WeakSet<object>()

/** Changes the database that it is given, and every transaction on it: all queries of both go through their session. */
export const quietQueries = <D extends Pick<Database, '_'>>(database: D): D => {
  const { session } = database._
  if (quieted.has(session)) return database
  quieted.add(session)
  const prepareQuery = session.prepareQuery.bind(session)
  const transaction = session.transaction.bind(session)
  Object.assign(session, {
    prepareQuery(...given: Parameters<typeof prepareQuery>) {
      const prepared = prepareQuery(...given)
      const execute = prepared.execute.bind(prepared)
      prepared.execute = async values => {
        try {
          return await execute(values)
        } catch (error) {
          throw quietError(error)
        }
      }
      return prepared
    },
    transaction: ((work, config) =>
      transaction(inner => work(quietQueries(inner)), config)) satisfies typeof session.transaction,
  })
  return database
}

// upkeep: What a database server does by itself and an embedded one doesn't: it frees the space of replaced rows, and updates the
// statistics that the query planner needs.

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
