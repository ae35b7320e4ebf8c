/** The queue of runs, in the database of the sessions: one job for each session that has something to do. */
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Database } from '../store/database.ts'
import { inTurn } from '../store/server.ts'
import type { EngineDatabase } from './engine-database.ts'
import type { Logger } from './logger.ts'

/** A job that this process has taken. Once it has lapsed, whatever is done with it has no effect. */
export interface TakenJob {
  readonly id: string
  readonly retryCount: number
  readonly data: { readonly session: string }
}

export interface Jobs {
  /** Queues the runs of sessions, as part of a transaction. One that is queued or taken stays as it is. */
  add(sessions: readonly string[], transaction: Database): Promise<void>
  /** The oldest that nobody has taken, at most so many. */
  take(most: number): Promise<TakenJob[]>
  /** Says that this process is alive, and gives back what it holds no longer. */
  hold(claims: readonly TakenJob[]): Promise<TakenJob[]>
  /** For anybody to take: at once, or after a pause. */
  putBack(claims: readonly TakenJob[], pauseSeconds?: number): Promise<void>
  /** The runs are over, as part of a transaction. */
  done(claims: readonly TakenJob[], transaction: Database): Promise<void>
  close(): Promise<void>
}

/** What the queue gives back of a heartbeat; its types leave it out. */
interface Touched {
  readonly affected: number
  readonly settled?: readonly string[]
}

const queue = 'sessions'
const day = 86_400

const settings = {
  // One job for a session, waiting or taken: two would be two runners.
  policy: 'exclusive',
  heartbeatSeconds: 10,
  // A session may take hours; who lives says so by its heartbeat, not by being quick.
  expireInSeconds: day - 1,
  retentionSeconds: 3_650 * day,
  // Tries are counted with the session, where progress sets them back; a queue would count crashes for ever.
  retryLimit: 1_000_000,
} as const

/** Nobody else can have the folder: whatever was taken was taken by a process that is gone. */
const releaseAll = async (boss: PgBoss): Promise<void> => {
  const taken = (await boss.findJobs(queue)).filter(({ state }) => state === 'active')
  if (taken.length > 0)
    await boss.fail(
      queue,
      taken.map(({ id }) => id),
    )
}

export const openJobs = async ({ boss: reach, shared }: EngineDatabase, logger: Logger): Promise<Jobs> => {
  const boss = new PgBoss({
    ...reach,
    schedule: false,
    supervise: shared !== undefined,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  boss.on('error', error => logger.warn({ error: error.message }, 'The queue had a problem.'))
  const install = async (): Promise<void> => {
    await boss.start()
    await boss.createQueue(queue, settings)
  }
  await (shared ? inTurn(shared.pool, install) : install())
  // The first use of a queue reads its settings: inside a transaction on one connection it would wait for ever.
  await boss.findJobs(queue, { id: '00000000-0000-0000-0000-000000000000' })
  if (!shared) await releaseAll(boss)
  return {
    async add(sessions, transaction) {
      const jobs = sessions.map(session => ({ data: { session }, singletonKey: session }))
      if (jobs.length > 0) await boss.insert(queue, jobs, { db: fromDrizzle(transaction, sql) })
    },
    take: most => boss.fetch<TakenJob['data']>(queue, { batchSize: most }),
    async hold(claims) {
      if (claims.length === 0) return []
      const touched = (await boss.touch(queue, [...claims])) as Touched
      if (touched.affected === claims.length) return []
      const held = new Set(touched.settled)
      return claims.filter(({ id }) => !held.has(id))
    },
    async putBack(claims, pauseSeconds = 0) {
      if (claims.length === 0) return
      await boss.fail(queue, [...claims])
      if (pauseSeconds === 0) return
      for (const { id } of claims) await boss.update(queue, undefined, { id, startAfter: pauseSeconds })
    },
    async done(claims, transaction) {
      if (claims.length > 0) await boss.deleteJob(queue, [...claims], { db: fromDrizzle(transaction, sql) })
    },
    close: () => boss.stop({ graceful: false, close: false }),
  }
}
