/** The tables, the same in the embedded database and on a server. `npm run migrations` generates the migration of a change. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { and, type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  json,
  type PgDatabase,
  type PgQueryResultHKT,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { UsageError } from '../core/basics.ts'
import type { Outcome, SessionEvent } from '../core/event.ts'
import type { LinkKind } from '../core/opening.ts'
import type { Level } from '../count/tally.ts'
import { type Json, type RecordKind, searchPrefixIn, type Visibility } from './archive.ts'

// database: What the two database drivers have in common.

/** What both drivers return for a raw statement. */
interface RowsResult extends PgQueryResultHKT {
  readonly type: { rows: unknown[] }
}

export type Database = PgDatabase<RowsResult>

// migrations: The migrations: forward only. An archive that a newer version has migrated is refused, and left as it is.

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

/** Wrong statements and tables that are there already. A connection that breaks is no failed migration. */
const isAboutTables = (cause: unknown): cause is Error =>
  cause instanceof Error && /^42/.test((cause as NodeJS.ErrnoException).code ?? '')

/** Says what to do if the tables can't be changed, which the driver's words don't: they only repeat the statement. */
export const migrating = async (migrate: () => Promise<void>): Promise<void> => {
  try {
    await migrate()
  } catch (error) {
    const cause = (error as Error).cause ?? error
    if (!isAboutTables(cause)) throw error
    throw new UsageError(
      `The tables of these sessions can't be changed for this version of Roundtable: ${cause.message}. Nothing was changed. ` +
        'Make a backup with the version that saved them, and restore it here into an empty data folder or database.',
      'old-archive',
    )
  }
}

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/**
 * By ISO 639-1: the configuration that finds the stems of a language's words. Those of Postgres ignore words such as
 * "will", which somebody may search for. A migration made these, which ignore none.
 */
export const stemmers: ReadonlyMap<string, string> = new Map([
  ['da', 'stems_danish'],
  ['de', 'stems_german'],
  ['en', 'stems_english'],
  ['es', 'stems_spanish'],
  ['fi', 'stems_finnish'],
  ['fr', 'stems_french'],
  ['hu', 'stems_hungarian'],
  ['it', 'stems_italian'],
  ['nl', 'stems_dutch'],
  ['no', 'stems_norwegian'],
  ['pt', 'stems_portuguese'],
  ['ro', 'stems_romanian'],
  ['ru', 'stems_russian'],
  ['sv', 'stems_swedish'],
  ['tr', 'stems_turkish'],
])

/** Other languages are searched by whole words. */
export const wholeWords = 'simple'

/** One row for each session. The transaction that appends to the log updates it too. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    /** How many events the log has. This is the next position, which fences runners off from each other. */
    length: integer().notNull(),
    /** How often a run was started since the log last grew. */
    tries: integer().notNull().default(0),
    question: text().notNull(),
    /** As in the log. ISO 8601 sorts as text if the collation is "C". */
    openedAt: text('opened_at').notNull(),
    protocol: text().notNull(),
    models: text().array().notNull(),
    tags: text().array().notNull().default([]),
    outcome: text().$type<Outcome>(),
    level: text().$type<Level>(),
    line: text(),
    /** Null: the session isn't a book of letters. */
    book: boolean().$type<true>(),
    /** The session that this one follows, or is a fork of. */
    parent: text(),
    link: text().$type<LinkKind>(),
    /** The person whose session it is. Null: the team's. */
    owner: text(),
    visibility: text().$type<Visibility>().notNull().default('team'),
    /** The stems of the searched text. The text itself is only in the log. */
    words: searchVector().notNull(),
  },
  table => [
    index('sessions_newest').on(sql`${table.openedAt} COLLATE "C" DESC`, sql`${table.id} COLLATE "C" DESC`),
    // With who may see it, which `seenBy` in search.ts looks for; a migration made it so.
    index('sessions_words').using('gin', table.words),
    index('sessions_models').using('gin', table.models),
    index('sessions_tags').using('gin', table.tags),
    index('sessions_books').on(table.book).where(sql`${table.book} IS NOT NULL`),
    index('sessions_parent').on(table.parent),
    index('sessions_owner').on(table.owner).where(sql`${table.owner} IS NOT NULL`),
  ],
)

/**
 * The logs. `json` and not `jsonb`, because it keeps an event byte by byte, with any NUL character that a model wrote. No
 * foreign key: an append holds the row of its session anyway, and the check would make it a third slower.
 */
export const events = pgTable(
  'events',
  {
    session: text().notNull(),
    position: integer().notNull(),
    event: json().$type<SessionEvent>().notNull(),
  },
  table => [primaryKey({ columns: [table.session, table.position] })],
)

/** The bytes of exhibits, by their SHA-256. A file belongs to one session, so that it is deleted with it. */
export const files = pgTable(
  'files',
  {
    session: text().notNull(),
    sha256: text().notNull(),
    media: text().notNull(),
    bytes: bytes().notNull(),
  },
  table => [primaryKey({ columns: [table.session, table.sha256] })],
)

export const lineups = pgTable('lineups', {
  name: text().primaryKey(),
  value: json().$type<Json>().notNull(),
})

export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: json().$type<Json>().notNull(),
})

/** People, sign-ins, keys, invitations and the audit log: values of one kind, by a key. */
export const records = pgTable(
  'records',
  {
    kind: text().$type<RecordKind>().notNull(),
    key: text().notNull(),
    owner: text(),
    value: json().$type<Json>().notNull(),
  },
  table => [
    primaryKey({ columns: [table.kind, table.key] }),
    index('records_owner').on(table.kind, table.owner),
    index('records_newest').on(table.kind, sql`${table.key} COLLATE "C" DESC`),
  ],
)

/** Billionths of a dollar, so that sums are exact. */
const amounts = {
  nanodollars: bigint({ mode: 'number' }).notNull(),
  tokens: bigint({ mode: 'number' }).notNull(),
}

/** What each payer used on each day, in UTC. */
export const spending = pgTable(
  'spending',
  { payer: text().notNull(), day: text().notNull(), ...amounts, calls: integer().notNull() },
  table => [primaryKey({ columns: [table.payer, table.day] })],
)

/** What calls under way may use at most. The next runner of a session counts what a dead one held as used. */
export const holds = pgTable('holds', {
  id: text().primaryKey(),
  /** Null: a call outside of any session. */
  session: text(),
  payers: text().array().notNull(),
  day: text().notNull(),
  /** Milliseconds since 1970. */
  madeAt: bigint('made_at', { mode: 'number' }).notNull(),
  ...amounts,
})

// search: Finds sessions by their words, in one statement that is fast for rare and for common words.

export const newest = sql`${sessions.openedAt} COLLATE "C" DESC, ${sessions.id} COLLATE "C" DESC`

/**
 * Their own sessions and the team's. The expression is part of the index of words (migration 7), so that a search doesn't
 * touch the rows of others: their number would show in its time.
 */
export const seenBy = (viewer: string): SQL =>
  sql`ARRAY[${sessions.owner}, CASE ${sessions.visibility} WHEN 'team' THEN '*' END] && ARRAY['*', ${viewer}::text]`

/** How many of the newest sessions are scanned. */
const looked = 200

const languages = `{${[wholeWords, ...stemmers.values()].join(',')}}`

/**
 * Matches in any of the languages, so that a search need not say in which language the session was. Most languages make
 * the same query of a word, and it is asked only once. Empty if the text has no word.
 */
const inAnyLanguage = (words: string): SQL => {
  if (words.trim() === '') return sql`''::tsquery`
  return sql`(
    SELECT coalesce(string_agg(DISTINCT '(' || query::text || ')', '|'), '')::tsquery
    FROM unnest(${languages}::regconfig[]) AS language, websearch_to_tsquery(language, ${words}) AS query
    WHERE numnode(query) > 0)`
}

/** Matches the words, or words that begin like the last of them. */
const askedFor = (words: string): SQL => {
  const prefix = searchPrefixIn(words)
  if (!prefix) return inAnyLanguage(words)
  const beginning = sql`to_tsquery(${wholeWords}, ${`${prefix.beginning}:*`})`
  return sql`${inAnyLanguage(words)} || (${inAnyLanguage(prefix.before)} && ${beginning})`
}

/**
 * Whether a session is among the newest `most` that have the words and meet the conditions. A common word fills the page
 * from the newest sessions alone; any other is looked up in the index. Left to choose, the database would take rare words
 * for common ones, and read every session until the page is full.
 */
export const matching = (words: string, conditions: readonly SQL[], most: number): SQL => sql`
  ${sessions.id} IN (
    WITH asked AS MATERIALIZED (SELECT ${askedFor(words.replaceAll('\0', ' '))} AS query),
    recent AS MATERIALIZED (
      SELECT ${sessions.id}
      FROM (SELECT * FROM ${sessions} WHERE ${and(sql`TRUE`, ...conditions)} ORDER BY ${newest} LIMIT ${looked}) AS sessions
      WHERE ${sessions.words} @@ (SELECT query FROM asked) ORDER BY ${newest} LIMIT ${most}
    )
    SELECT id FROM recent WHERE (SELECT count(*) FROM recent) = ${most}
    UNION ALL (
      SELECT ${sessions.id} FROM ${sessions}
      WHERE (SELECT count(*) FROM recent) < ${most} AND ${and(sql`${sessions.words} @@ (SELECT query FROM asked)`, ...conditions)}
      ORDER BY ${newest} LIMIT ${most}
    )
  )`
