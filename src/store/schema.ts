/** The tables, the same in the embedded database and on a server. `npm run migrations` generates the migration of a change. */
import { sql } from 'drizzle-orm'
import { bigint, customType, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { BookState } from '../core/letters/book.ts'
import type { LinkKind, Outcome, SessionEvent } from '../core/log/event.ts'
import type { Level } from '../core/verdict/tally.ts'
import type { Json, Visibility } from './archive/archive.ts'
import type { RecordKind } from './archive/record-kinds.ts'

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
    book: text().$type<BookState>(),
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
