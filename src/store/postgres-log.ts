/** Reads and appends the logs of sessions in Postgres. One statement appends to many logs, each fenced by its position. */

import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { SessionEvent } from '../core/event.ts'
import type { Budget } from '../core/opening.ts'
import {
  type Allowance,
  type Charge,
  type DaySpending,
  found,
  type HoldReply,
  type HoldRequest,
  type Ledger,
  type Ownership,
  type Period,
  type RecordKind,
  type Shortage,
  searchText,
  teams,
} from './archive.ts'
import { type Database, events, holds, records, sessions, spending, stemmers, wholeWords } from './schema.ts'
import { checkedId, checkedPosition, PositionTaken, type Store } from './store.ts'

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
  first: checkedPosition(added),
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
  level text, line text, book boolean, parent text, link text, length int, text text, stems regconfig, owner text,
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

/** To begin a call is no progress: a session that kills its process by its calls would be run without end. */
const movedRows = (appends: readonly Append[]): SQL => sql`
  UPDATE ${sessions} SET length = length + wanted.count, tries = CASE WHEN wanted.progress THEN 0 ELSE tries END
  FROM unnest(
    ${sql.param(appends.map(({ id }) => id))}::text[],
    ${sql.param(appends.map(({ first }) => first))}::int[],
    ${sql.param(appends.map(({ added }) => added.length))}::int[],
    ${sql.param(appends.map(({ added }) => added.some(({ type }) => type !== 'calls-begun')))}::bool[]
  ) AS wanted(session, first, count, progress)
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

/** Updates the rows of finished sessions: what is listed and searched follows from their whole logs. */
const finish = async (database: Database, ids: readonly string[]): Promise<void> => {
  const rows = [...(await readLogs(database, ids))].map(([id, log]) => endOf(id, log))
  await database.execute(sql`
    UPDATE ${sessions} SET outcome = row.outcome, level = row.level, line = row.line,
      models = coalesce(row.models, ${sessions.models}), book = coalesce(row.book, ${sessions.book}),
      words = coalesce(${indexed}, ${sessions.words})
    FROM json_to_recordset(${JSON.stringify(rows)}) AS row(${rowColumns})
    WHERE ${sessions.id} = row.id`)
}

const isEnding = ({ added }: Append): boolean => added.some(({ type }) => type === 'session-finished')

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

// grouped: Writes of many sessions go to the database together. Otherwise hundreds of sessions would wait for the disk one by one.

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Takes what waits, at most one item of each session: a second one depends on the first. */
const nextBatch = <Item extends { readonly id: string }, Result>(
  waiting: Waiting<Item, Result>[],
): Waiting<Item, Result>[] => {
  const taken = new Map<string, Waiting<Item, Result>>()
  for (const one of waiting) if (!taken.has(one.item.id)) taken.set(one.item.id, one)
  waiting.splice(0, waiting.length, ...waiting.filter(one => taken.get(one.item.id) !== one))
  return [...taken.values()]
}

/** Calls `run` with many items at once: those that arrive while it runs go together into the next call. */
export const grouped = <Item extends { readonly id: string }, Result>(
  run: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  const runAll = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const resultOf = await run(batch.map(({ item }) => item))
      for (const { item, resolve } of batch) resolve(resultOf(item))
    } catch (error) {
      // One bad item must not fail the others.
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const one of batch) await runAll([one])
    }
  }
  const runWaiting = async (): Promise<void> => {
    running = true
    // Items that arrive in the same turn of the event loop go together.
    await new Promise(setImmediate)
    while (waiting.length > 0) await runAll(nextBatch(waiting))
    running = false
  }
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void runWaiting()
    })
}

export const groupedAppends = (database: Database): Store['append'] => {
  const append = grouped(async (appends: readonly Append[]) => {
    const stood = await appendLogs(database, appends)
    return ({ id }) => stood.has(id)
  })
  return async (id, added) => {
    const one = checkedAppend(id, added)
    if (added.length > 0 && !(await append(one))) throw new PositionTaken(id, one.first)
  }
}

// postgresLedger: The ledger in Postgres: holds are made one after another for each payer, under a lock on the row of its budget.

/** The budget of a payer is the record with its name. */
const budgetKind: RecordKind = 'budget'

const nano = 1e9

/** Rounded up: a budget is never exceeded by what was rounded away. Sums of dollars are a little off themselves. */
const nanodollars = (usd: number): number => Math.ceil(usd * nano - 1e-3)

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** Longer than any call outside of a session may take, with all its retries. */
const longestCall = 30 * 60_000

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`

/** In nanodollars and tokens, by payer. `held` is part of it. */
interface Used {
  readonly payer: string
  readonly period: Period
  readonly nanodollars: number
  readonly tokens: number
  readonly held: boolean
}

/** Moves holds into what was used: as much as they held, or as much as the call says. One statement, all or nothing. */
const countAsUsed = (which: SQL, used?: Charge): SQL => sql`
  WITH gone AS (DELETE FROM ${holds} WHERE ${which} RETURNING payers, day, nanodollars, tokens)
  INSERT INTO ${spending} (payer, day, nanodollars, tokens, calls)
  SELECT payer, day,
    sum(${used ? sql`${nanodollars(used.usd)}::bigint` : sql`nanodollars`}),
    sum(${used ? sql`${used.tokens}::bigint` : sql`tokens`}),
    count(*)
  FROM gone, unnest(gone.payers) AS payer
  GROUP BY payer, day ORDER BY payer
  ON CONFLICT (payer, day) DO UPDATE SET
    nanodollars = ${spending}.nanodollars + excluded.nanodollars,
    tokens = ${spending}.tokens + excluded.tokens,
    calls = ${spending}.calls + excluded.calls`

/** Always in the same order: two transactions that lock in different orders would wait for each other. */
const lockedBudgets = async (
  transaction: Database,
  payers: readonly string[],
): Promise<{ readonly payer: string; readonly allowance: Allowance }[]> => {
  const { rows } = await transaction.execute(sql`
    SELECT key AS payer, value AS allowance FROM ${records}
    WHERE kind = ${budgetKind} AND key = ANY(${sql.param(payers)}::text[]) ORDER BY key FOR UPDATE`)
  return rows as { payer: string; allowance: Allowance }[]
}

/** In one statement: between two, a call that ends would be in neither. */
const usedBy = async (
  transaction: Database,
  { id, payers }: HoldRequest,
  today: string,
): Promise<readonly Used[]> => {
  const { rows } = await transaction.execute(sql`
    WITH used AS (
      SELECT payer, day, nanodollars, tokens, false AS held FROM ${spending}
      WHERE payer = ANY(${sql.param(payers)}::text[]) AND day >= ${firstOfMonth(today)}
      UNION ALL
      SELECT payer, day, nanodollars, tokens, true FROM ${holds}, unnest(payers) AS payer
      WHERE payer = ANY(${sql.param(payers)}::text[]) AND day >= ${firstOfMonth(today)} AND id <> ${id}
    )
    SELECT payer, 'month' AS period, held, sum(nanodollars)::float8 AS nanodollars, sum(tokens)::float8 AS tokens
    FROM used GROUP BY payer, held
    UNION ALL
    SELECT payer, 'day', held, sum(nanodollars)::float8, sum(tokens)::float8
    FROM used WHERE day = ${today} GROUP BY payer, held`)
  return rows as unknown as Used[]
}

const leftOf = (budget: Budget, used: readonly Used[]): Charge => ({
  usd:
    budget.usd === undefined
      ? Infinity
      : (Math.floor(budget.usd * nano + 1e-3) - used.reduce((sum, one) => sum + one.nanodollars, 0)) / nano,
  tokens: (budget.tokens ?? Infinity) - used.reduce((sum, one) => sum + one.tokens, 0),
})

const fitsIn = (charge: Charge | undefined, left: Charge): charge is Charge =>
  charge !== undefined &&
  charge.tokens <= left.tokens &&
  (left.usd === Infinity || nanodollars(charge.usd) <= Math.round(left.usd * nano))

/** The last of these to have room again is what the person waits for: a month ends with a day. */
const latest = (short: readonly Shortage[]): Shortage | undefined =>
  short.find(({ tooSmall }) => tooSmall) ?? short.find(({ period }) => period === 'month') ?? short[0]

const decide = (
  { choose }: HoldRequest,
  allowances: Awaited<ReturnType<typeof lockedBudgets>>,
  used: readonly Used[],
): HoldReply => {
  const limits = allowances.flatMap(({ payer, allowance }) =>
    (['day', 'month'] as const).flatMap(period => {
      const budget = allowance[period]
      const own = used.filter(one => one.payer === payer && one.period === period)
      return budget ? [{ payer, period, budget, own }] : []
    }),
  )
  const short = limits
    .filter(
      ({ budget, own }) =>
        !choose(
          leftOf(
            budget,
            own.filter(({ held }) => !held),
          ),
        ),
    )
    .map(({ payer, period, budget }) => ({ payer, period, budget, tooSmall: !choose(leftOf(budget, [])) }))
  const shortage = latest(short)
  if (shortage) return { short: shortage }
  const lefts = limits.map(({ budget, own }) => leftOf(budget, own))
  const left = {
    usd: Math.min(Infinity, ...lefts.map(({ usd }) => usd)),
    tokens: Math.min(Infinity, ...lefts.map(({ tokens }) => tokens)),
  }
  const held = choose(left)
  return fitsIn(held, left) ? { held } : { wait: true }
}

export const postgresLedger = (database: Database): Ledger => ({
  hold: request =>
    database.transaction(async transaction => {
      const { id, session = null, payers, at } = request
      const today = dayOf(at)
      const allowances = await lockedBudgets(transaction, payers)
      // Nobody takes such a call over: the process that made it is gone.
      await transaction.execute(countAsUsed(sql`session IS NULL AND made_at < ${at - longestCall}`))
      const reply = decide(request, allowances, await usedBy(transaction, request, today))
      if ('held' in reply)
        await transaction.execute(sql`
          INSERT INTO ${holds} (id, session, payers, day, made_at, nanodollars, tokens)
          VALUES (${id}, ${session}, ${sql.param(payers)}::text[], ${today}, ${at},
            ${nanodollars(reply.held.usd)}::bigint, ${reply.held.tokens}::bigint)
          ON CONFLICT (id) DO UPDATE SET nanodollars = excluded.nanodollars, tokens = excluded.tokens`)
      return reply
    }),
  async settle(id, used) {
    await database.execute(countAsUsed(sql`id = ${id}`, used))
  },
  async holders() {
    const { rows } = await database.execute(
      sql`SELECT DISTINCT session FROM ${holds} WHERE session IS NOT NULL`,
    )
    return rows.map(row => (row as { session: string }).session)
  },
  async release(session) {
    await database.execute(countAsUsed(sql`session = ${session}`))
  },
})

/** What was used from one day to another, both included. Holds aren't part of it. */
export const spendingBetween = async (
  database: Database,
  from: string,
  to: string,
): Promise<readonly DaySpending[]> => {
  const { rows } = await database.execute(sql`
    SELECT payer, day, nanodollars::float8 / ${nano}::float8 AS usd, tokens::float8 AS tokens, calls FROM ${spending}
    WHERE day BETWEEN ${from} AND ${to} ORDER BY day, payer`)
  return rows as unknown as DaySpending[]
}

/** Everything that was used, and what calls under way hold. */
export const wholeLedger = async (database: Database): Promise<readonly DaySpending[]> => {
  const { rows } = await database.execute(sql`
    WITH used AS (
      SELECT payer, day, nanodollars, tokens, calls FROM ${spending}
      UNION ALL
      SELECT payer, day, nanodollars, tokens, 1 FROM ${holds}, unnest(payers) AS payer
    )
    SELECT payer, day, sum(nanodollars)::float8 / ${nano}::float8 AS usd, sum(tokens)::float8 AS tokens,
      sum(calls)::integer AS calls
    FROM used GROUP BY payer, day ORDER BY day, payer`)
  return rows as unknown as DaySpending[]
}

export const countSpending = async (database: Database, days: readonly DaySpending[]): Promise<void> => {
  for (const { payer, day, usd, tokens, calls } of days)
    await database.execute(sql`
      INSERT INTO ${spending} (payer, day, nanodollars, tokens, calls)
      VALUES (${payer}, ${day}, ${nanodollars(usd)}::bigint, ${tokens}::bigint, ${calls}::integer)
      ON CONFLICT (payer, day) DO UPDATE SET
        nanodollars = greatest(${spending}.nanodollars, excluded.nanodollars),
        tokens = greatest(${spending}.tokens, excluded.tokens),
        calls = greatest(${spending}.calls, excluded.calls)`)
}

// tries: How often a run of a session was started without progress. An append to the log resets the count.

/** Counts one more try of each session, and returns the new counts. Sessions that don't exist are left out. */
export const countTries = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await database
    .update(sessions)
    .set({ tries: sql`${sessions.tries} + 1` })
    .where(inArray(sessions.id, [...ids]))
    .returning({ id: sessions.id, tries: sessions.tries })
  return new Map(rows.map(({ id, tries }) => [id, tries]))
}

export const triesOf = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await database
    .select({ id: sessions.id, tries: sessions.tries })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
  return new Map(rows.map(({ id, tries }) => [id, tries]))
}

/** A run that was stopped for reasons outside of the session does not count as a try. */
export const uncountTry = async (database: Database, id: string): Promise<void> => {
  await database
    .update(sessions)
    .set({ tries: sql`greatest(${sessions.tries} - 1, 0)` })
    .where(eq(sessions.id, id))
}

/** The lengths of the logs, which are locked until the transaction ends. Sessions that don't exist are left out. */
export const lengthsHeld = async (
  transaction: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await transaction
    .select({ id: sessions.id, length: sessions.length })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    // Always in the same order: two transactions that lock in different orders would wait for each other.
    .orderBy(sessions.id)
    .for('update')
  return new Map(rows.map(({ id, length }) => [id, length]))
}
