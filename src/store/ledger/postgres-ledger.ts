/** The ledger in Postgres: holds are made one after another for each payer, under a lock on the row of its budget. */
import { type SQL, sql } from 'drizzle-orm'
import type { Budget } from '../../core/log/event.ts'
import type { RecordKind } from '../archive/record-kinds.ts'
import type { Database } from '../database.ts'
import { holds, records, spending } from '../schema.ts'
import type {
  Allowance,
  Charge,
  DaySpending,
  HoldReply,
  HoldRequest,
  Ledger,
  Period,
  Shortage,
} from './ledger.ts'

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
