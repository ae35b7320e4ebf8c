/** The tables, the same on the embedded database and on a server. `npm run migrations` writes what a change takes. */
import { sql } from 'drizzle-orm'
import { customType, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Outcome, SessionEvent } from '../core/event.ts'
import type { Level } from '../core/tally.ts'
import type { Json } from './archive/archive.ts'

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** By ISO 639-1: the word forms that the database knows. Other languages are searched by whole words. */
export const stemmers = {
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
} as const

const stemmed = Object.entries(stemmers)
  .map(([code, name]) => `WHEN '${code}' THEN to_tsvector('${name}', "text")`)
  .join(' ')

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
    language: text(),
    models: text().array().notNull(),
    tags: text().array().notNull().default([]),
    outcome: text().$type<Outcome>(),
    level: text().$type<Level>(),
    line: text(),
    text: text().notNull(),
    words: searchVector().generatedAlwaysAs(
      sql.raw(`to_tsvector('simple', "text") || CASE "language" ${stemmed} ELSE ''::tsvector END`),
    ),
  },
  table => [
    index('sessions_newest').on(sql`${table.openedAt} COLLATE "C" DESC`, sql`${table.id} COLLATE "C" DESC`),
    index('sessions_words').using('gin', table.words),
    index('sessions_models').using('gin', table.models),
    index('sessions_tags').using('gin', table.tags),
  ],
)

/** The logs. `json` and not `jsonb`: it keeps an event to the byte, NUL characters of a model included. */
export const events = pgTable(
  'events',
  {
    session: text()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
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
