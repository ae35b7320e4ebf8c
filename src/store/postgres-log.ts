/** Reads and appends the logs of sessions in Postgres. One statement appends to many logs, each fenced by its position. */
import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { SessionEvent } from '../core/log/event.ts'
import { type Ownership, teams } from './archive/archive.ts'
import { found, searchText } from './archive/summary.ts'
import type { Database } from './database.ts'
import { checkedId, firstPosition } from './log.ts'
import { events, sessions, stemmers, wholeWords } from './schema.ts'
import { PositionTaken } from './store.ts'

/** Consecutive events for the log of one session. */
export interface Append {
  readonly id: string
  readonly first: number
  readonly added: readonly SessionEvent[]
  /** Whose the session is, if it is a new one. */
  readonly ownership: Ownership
}

export const checkedAppend = (
  id: string,
  added: readonly SessionEvent[],
  ownership: Ownership = teams,
): Append => ({
  id: checkedId(id),
  first: firstPosition(added),
  added,
  ownership,
})

const rowOf = (log: readonly SessionEvent[]) => {
  const { tags: _tags, ...row } = found(log, [])
  const language = log[0]?.type === 'session-opened' ? log[0].language : null
  const stems = stemmers.get(language ?? '') ?? wholeWords
  return { ...row, text: searchText(log), stems }
}

const rowColumns = sql`id text, question text, "openedAt" text, protocol text, models text[], outcome text,
  level text, line text, book text, parent text, link text, length int, text text, stems regconfig, owner text,
  visibility text`

/** Stems of everything, and the beginning of the question in whole words: what somebody types may be longer than a stem. */
const indexed = sql`to_tsvector(row.stems, row.text) || to_tsvector(${wholeWords}::regconfig, left(row.question, 1000))`

/** Inserts the events of those sessions whose rows the statement `stood` has inserted or updated. */
const eventsAfter = (stood: SQL, appends: readonly Append[]): SQL => {
  const lines = appends.flatMap(({ id, added }) => added.map(event => ({ id, event })))
  return sql`
    WITH stood AS (${stood})
    INSERT INTO ${events} (session, position, event)
    SELECT added.session, added.position, added.text::json
    FROM unnest(
      ${sql.param(lines.map(({ id }) => id))}::text[],
      ${sql.param(lines.map(({ event }) => event.position))}::int[],
      ${sql.param(lines.map(({ event }) => JSON.stringify(event)))}::text[]
    ) AS added(session, position, text)
    JOIN stood ON stood.id = added.session
    RETURNING session`
}

const openingRows = (appends: readonly Append[]): SQL => {
  const rows = appends.map(({ id, added, ownership }) => ({
    ...{ ...rowOf(added), id, length: added.length },
    ...ownership,
  }))
  return sql`
    INSERT INTO ${sessions}
      (id, question, opened_at, protocol, models, outcome, level, line, book, parent, link, length, owner, visibility,
        words)
    SELECT id, question, "openedAt", protocol, models, outcome, level, line, book, parent, link, length, owner,
      visibility, ${indexed}
    FROM json_to_recordset(${JSON.stringify(rows)}) AS row(${rowColumns})
    ON CONFLICT DO NOTHING RETURNING id`
}

const movedRows = (appends: readonly Append[]): SQL => sql`
  UPDATE ${sessions} SET length = length + wanted.count, tries = 0
  FROM unnest(
    ${sql.param(appends.map(({ id }) => id))}::text[],
    ${sql.param(appends.map(({ first }) => first))}::int[],
    ${sql.param(appends.map(({ added }) => added.length))}::int[]
  ) AS wanted(session, first, count)
  WHERE id = wanted.session AND length = wanted.first RETURNING id`

/** The row of a finished session. If its log makes no sense, only that it failed. */
const endOf = (id: string, log: readonly SessionEvent[]) => {
  const last = log.at(-1)
  try {
    return { ...rowOf(log), id }
  } catch (error) {
    if (last?.type === 'session-finished' && last.outcome === 'failed') return { id, outcome: last.outcome }
    throw error
  }
}

/** The logs of many sessions; those that don't exist are left out. */
export const readLogs = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SessionEvent[]>> => {
  const rows = await database
    .select({ session: events.session, event: events.event })
    .from(events)
    .where(inArray(events.session, [...ids]))
    .orderBy(asc(events.session), asc(events.position))
  const logs = new Map<string, SessionEvent[]>()
  for (const { session, event } of rows) {
    const log = logs.get(session)
    if (log) log.push(event)
    else logs.set(session, [event])
  }
  return logs
}

/** Updates the rows of finished sessions and of books that were opened: what is listed and searched follows from their whole logs. */
const finish = async (database: Database, ids: readonly string[]): Promise<void> => {
  const rows = [...(await readLogs(database, ids))].map(([id, log]) => endOf(id, log))
  await database.execute(sql`
    UPDATE ${sessions} SET outcome = row.outcome, level = row.level, line = row.line,
      models = coalesce(row.models, ${sessions.models}), book = coalesce(row.book, ${sessions.book}),
      words = coalesce(${indexed}, ${sessions.words})
    FROM json_to_recordset(${JSON.stringify(rows)}) AS row(${rowColumns})
    WHERE ${sessions.id} = row.id`)
}

const isEnding = ({ added }: Append): boolean =>
  added.some(({ type }) => type === 'session-finished' || type === 'book-opened')

/**
 * Appends to many logs, at most once to each; all events of a session are stored, or none. Returns the sessions whose
 * logs ended exactly where their events begin.
 */
export const appendLogs = async (
  database: Database,
  appends: readonly Append[],
): Promise<ReadonlySet<string>> => {
  const opening = appends.filter(({ first }) => first === 0)
  const moving = appends.filter(({ first }) => first > 0)
  const appendOn = async (on: Database): Promise<ReadonlySet<string>> => {
    const stood = new Set<string>()
    const store = async (rows: typeof openingRows, some: readonly Append[]): Promise<void> => {
      if (some.length === 0) return
      const stored = await on.execute<{ session: string }>(eventsAfter(rows(some), some))
      for (const row of stored.rows) stood.add((row as { session: string }).session)
    }
    await store(openingRows, opening)
    await store(movedRows, moving)
    const ended = moving.filter(append => isEnding(append) && stood.has(append.id)).map(({ id }) => id)
    if (ended.length > 0) await finish(on, ended)
    return stood
  }
  // The hot path is one statement, one round trip and one commit.
  const isOne = (opening.length === 0 || moving.length === 0) && !moving.some(isEnding)
  return isOne ? appendOn(database) : database.transaction(appendOn)
}

/** Appends all events or none, also within a transaction of the caller. */
export const appendLog = async (
  database: Database,
  id: string,
  added: readonly SessionEvent[],
  ownership?: Ownership,
): Promise<void> => {
  const append = checkedAppend(id, added, ownership)
  if (added.length === 0) return
  const stood = await appendLogs(database, [append])
  if (!stood.has(id)) throw new PositionTaken(id, append.first)
}

export const readLog = async (database: Database, id: string, after: number): Promise<SessionEvent[]> => {
  const rows = await database
    .select({ event: events.event })
    .from(events)
    .where(and(eq(events.session, id), gt(events.position, after)))
    .orderBy(asc(events.position))
  return rows.map(row => row.event)
}
