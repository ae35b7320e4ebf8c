/** The queue of runs, in the same database as the sessions: one job for each session that has something to do. */
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Database } from '../store/database.ts'
import { inTurn } from '../store/server.ts'
import type { EngineDatabase } from './engine-database.ts'
import type { Logger } from './logger.ts'

/** A job that this process has taken. Once it has lapsed, nothing that is done with it has an effect. */
export interface TakenJob {
  readonly id: string
  readonly retryCount: number
  readonly data: { readonly session: string }
}

export interface Jobs {
  /** Queues the runs of sessions, as part of a transaction. A run that is already queued or taken is left alone. */
  add(sessions: readonly string[], transaction: Database): Promise<void>
  /** Takes the oldest free jobs, at most so many. */
  take(most: number): Promise<TakenJob[]>
  /** Sends the heartbeat of jobs, and returns those that this process has lost. */
  hold(taken: readonly TakenJob[]): Promise<TakenJob[]>
  /** Those of the sessions whose runs some process has, as far as their heartbeats say. */
  taken(sessions: readonly string[]): Promise<ReadonlySet<string>>
  /** Lets any process take the jobs, at once or after a pause. */
  putBack(taken: readonly TakenJob[], pauseSeconds?: number): Promise<void>
  /** Lets the jobs rest until a time in milliseconds since 1970, as part of a transaction; adding one ends its rest. */
  rest(
    taken: readonly { readonly job: TakenJob; readonly until: number }[],
    transaction: Database,
  ): Promise<void>
  /** Removes the jobs of runs that have ended, as part of a transaction. */
  done(taken: readonly TakenJob[], transaction: Database): Promise<void>
  close(): Promise<void>
}

/** What pg-boss returns for a heartbeat; its types leave it out. */
interface Touched {
  readonly affected: number
  readonly settled?: readonly string[]
}

const queue = 'sessions'
const day = 86_400

const settings = {
  // A session has one job, waiting or taken: two jobs would mean two runners.
  policy: 'exclusive',
  heartbeatSeconds: 10,
  // A session may take hours: its runner shows by the heartbeat that it is alive, not by being quick.
  expireInSeconds: day - 1,
  retentionSeconds: 3_650 * day,
  // Tries are counted with the session, and progress resets them. The queue would never forget a crash.
  retryLimit: 1_000_000,
} as const

/** Nobody else can have the folder open, so the process that took these jobs is gone. */
const releaseAll = async (boss: PgBoss): Promise<void> => {
  const taken = (await boss.findJobs(queue)).filter(({ state }) => state === 'active')
  if (taken.length > 0)
    await boss.fail(
      queue,
      taken.map(({ id }) => id),
    )
}

export const openJobs = async (
  { boss: options, shared, database }: EngineDatabase,
  logger: Logger,
): Promise<Jobs> => {
  const boss = new PgBoss({
    ...options,
    schedule: false,
    supervise: shared !== undefined,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  boss.on('error', error => logger.warn({ error: error.message }, 'The queue reported an error.'))
  const install = async (): Promise<void> => {
    await boss.start()
    await boss.createQueue(queue, settings)
  }
  await (shared ? inTurn(shared.pool, install) : install())
  // The first use of a queue reads its settings. Inside a transaction on the only connection, that would hang forever.
  await boss.findJobs(queue, { id: '00000000-0000-0000-0000-000000000000' })
  if (!shared) await releaseAll(boss)
  return {
    async add(sessions, transaction) {
      const jobs = sessions.map(session => ({ data: { session }, singletonKey: session }))
      if (jobs.length === 0) return
      await boss.insert(queue, jobs, { db: fromDrizzle(transaction, sql) })
      // A job that rests is there already, and would go on resting.
      await transaction.execute(
        sql`update pgboss.job set start_after = now() where name = ${queue} and state in ('created', 'retry') and start_after > now() and singleton_key in ${[...sessions]}`,
      )
    },
    async rest(taken, transaction) {
      const db = fromDrizzle(transaction, sql)
      for (const { job, until } of taken) {
        await boss.fail(queue, [job], undefined, { db })
        await transaction.execute(
          sql`update pgboss.job set start_after = to_timestamp(${until / 1_000}) where name = ${queue} and id = ${job.id}`,
        )
      }
    },
    take: most => boss.fetch<TakenJob['data']>(queue, { batchSize: most }),
    async hold(taken) {
      if (taken.length === 0) return []
      const touched = (await boss.touch(queue, [...taken])) as Touched
      if (touched.affected === taken.length) return []
      const held = new Set(touched.settled)
      return taken.filter(({ id }) => !held.has(id))
    },
    async taken(sessions) {
      const { rows } = await database.execute(
        sql`select singleton_key as session from pgboss.job where name = ${queue} and state = 'active' and singleton_key = any(${sql.param([...sessions])}::text[])`,
      )
      return new Set(rows.map(row => (row as { session: string }).session))
    },
    async putBack(taken, pauseSeconds = 0) {
      if (taken.length === 0) return
      await boss.fail(queue, [...taken])
      if (pauseSeconds === 0) return
      for (const { id } of taken) await boss.update(queue, undefined, { id, startAfter: pauseSeconds })
    },
    async done(taken, transaction) {
      if (taken.length > 0) await boss.deleteJob(queue, [...taken], { db: fromDrizzle(transaction, sql) })
    },
    close: () => boss.stop({ graceful: false, close: false }),
  }
}
