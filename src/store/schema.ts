/** The tables, the same on the embedded database and on a server. `npm run migrations` writes what a change takes. */
import { sql } from 'drizzle-orm'
import { customType, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Outcome, SessionEvent } from '../core/log/event.ts'
import type { Level } from '../core/verdict/tally.ts'
import type { Json } from './archive/archive.ts'

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * By ISO 639-1: how the database finds the stems of a language's words. Its own ways pass over words such as "will",
 * which somebody may look for; these were made by a migration, and pass over none.
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

/** One row for each session, kept in step with its log by the transaction that appends. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    /** How many events the log has: the next position, and so what fences runners off each other. */
    length: integer().notNull(),
    /** How often a run was begun since the log last grew. */
    tries: integer().notNull().default(0),
    question: text().notNull(),
    /** As the log has it. ISO 8601 sorts as text, where the collation is plain. */
    openedAt: text('opened_at').notNull(),
    protocol: text().notNull(),
    models: text().array().notNull(),
    tags: text().array().notNull().default([]),
    outcome: text().$type<Outcome>(),
    level: text().$type<Level>(),
    line: text(),
    /** The stems of what is searched. Their text stands in the log alone. */
    words: searchVector().notNull(),
  },
  table => [
    index('sessions_newest').on(sql`${table.openedAt} COLLATE "C" DESC`, sql`${table.id} COLLATE "C" DESC`),
    index('sessions_words').using('gin', table.words),
    index('sessions_models').using('gin', table.models),
    index('sessions_tags').using('gin', table.tags),
  ],
)

/**
 * The logs. `json` and not `jsonb`: it keeps an event to the byte, NUL characters of a model included. No foreign
 * key: an append has the row of its session in hand, and the check would cost a third of it again.
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

export const lineups = pgTable('lineups', {
  name: text().primaryKey(),
  value: json().$type<Json>().notNull(),
})

export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: json().$type<Json>().notNull(),
})
