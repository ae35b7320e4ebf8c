/**
 * Appends of many sessions that come together go into one statement and one commit: hundreds of sessions at
 * once would otherwise wait for the disk one by one. Each keeps its own fence.
 */
import { sql } from 'drizzle-orm'
import type { SessionEvent } from '../core/event.ts'
import type { Database } from './database.ts'
import { checkedId, firstPosition } from './log.ts'
import { appendLog } from './postgres-log.ts'
import { events, sessions } from './schema.ts'
import { PositionTaken, type Store } from './store.ts'

interface Append {
  readonly id: string
  readonly first: number
  readonly added: readonly SessionEvent[]
  resolve(): void
  reject(error: unknown): void
}

/** Gives back the sessions whose logs stood where their events begin. */
const appendTogether = async (database: Database, appends: readonly Append[]): Promise<Set<string>> => {
  const lines = appends.flatMap(({ id, added }) => added.map(event => ({ id, event })))
  const list = (values: readonly (string | number)[]) => sql.param([...values])
  const { rows } = await database.execute<{ session: string }>(sql`
    WITH moved AS (
      UPDATE ${sessions} SET length = length + wanted.count, tries = 0
      FROM unnest(
        ${list(appends.map(({ id }) => id))}::text[],
        ${list(appends.map(({ first }) => first))}::int[],
        ${list(appends.map(({ added }) => added.length))}::int[]
      ) AS wanted(session, first, count)
      WHERE id = wanted.session AND length = wanted.first RETURNING id
    )
    INSERT INTO ${events} (session, position, event)
    SELECT added.session, added.position, added.text::json
    FROM unnest(
      ${list(lines.map(({ id }) => id))}::text[],
      ${list(lines.map(({ event }) => event.position))}::int[],
      ${list(lines.map(({ event }) => JSON.stringify(event)))}::text[]
    ) AS added(session, position, text)
    JOIN moved ON moved.id = added.session
    RETURNING session`)
  return new Set(rows.map(row => (row as { session: string }).session))
}

const appendOne = ({ id, added, resolve, reject }: Append, database: Database): Promise<void> =>
  appendLog(database, id, added).then(resolve, reject)

const appendAll = async (database: Database, appends: readonly Append[]): Promise<void> => {
  try {
    const moved = await appendTogether(database, appends)
    for (const { id, first, resolve, reject } of appends) {
      if (moved.has(id)) resolve()
      else reject(new PositionTaken(id, first))
    }
  } catch {
    // Whatever was wrong with one must not fail the others.
    await Promise.all(appends.map(append => appendOne(append, database)))
  }
}

/** The first appends that wait, at most one for a session: the second follows from the first. */
const nextBatch = (waiting: Append[]): Append[] => {
  const taken = new Map<string, Append>()
  for (const append of waiting) if (!taken.has(append.id)) taken.set(append.id, append)
  const batch = [...taken.values()]
  waiting.splice(0, waiting.length, ...waiting.filter(append => taken.get(append.id) !== append))
  return batch
}

export const groupedAppends = (database: Database): Store['append'] => {
  const waiting: Append[] = []
  let writing = false
  const write = async (): Promise<void> => {
    writing = true
    // What arrives in the same turn goes together.
    await new Promise(setImmediate)
    while (waiting.length > 0) await appendAll(database, nextBatch(waiting))
    writing = false
  }
  return async (id, added) => {
    const first = firstPosition(added)
    const underWay = first > 0 && added.length > 0 && added.at(-1)?.type !== 'session-finished'
    if (!underWay) return appendLog(database, id, added)
    return new Promise<void>((resolve, reject) => {
      waiting.push({ id: checkedId(id), first, added, resolve, reject })
      if (!writing) void write()
    })
  }
}
