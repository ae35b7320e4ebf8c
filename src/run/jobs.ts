/** The queue of runs, in the same database as the sessions: one job for each session that has something to do. */

import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { Client, type Pool } from 'pg'
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss'
import { hash, randomFor } from '../core/basics.ts'
import { type Happening, type SessionEvent, stamped } from '../core/event.ts'
import type { SessionOpened } from '../core/opening.ts'
import { type Archive, type Ledger, type Ownership, teamPayer } from '../store/archive.ts'
import type { Room } from '../store/embedded.ts'
import { untilBack, type Wait } from '../store/postgres.ts'
import { type Append, appendLogs, checkedAppend, grouped, postgresLedger } from '../store/postgres-log.ts'
import { type Database, records, sessions } from '../store/schema.ts'
import { inTurn } from '../store/server.ts'
import { PositionTaken, type Store, wasAppended } from '../store/store.ts'
import { type Payer, type PayerMeter, payerMeter, type Slots } from './budget.ts'
import type { Bus, Logger } from './bus.ts'
import type { Watch } from './runtime.ts'

// engineDatabase: The database of an engine: embedded in a folder, or on a server that many processes share.

/** A folder on this machine, or the address of a Postgres server. */
export type Where = { readonly folder: string } | { readonly address: string }

type BossOptions = Exclude<ConstructorParameters<typeof PgBoss>[0], string>

export interface EngineDatabase {
  readonly archive: Archive
  readonly database: Database
  /** How the queue reaches the database. */
  readonly boss: BossOptions
  /** Absent if the database doesn't write to a disk of this machine. */
  readonly room?: Room
  /** Absent if no other process can open the database. */
  readonly shared?: { readonly pool: Pool; readonly address: string }
}

export const openEngineDatabase = async (where: Where): Promise<EngineDatabase> => {
  if ('folder' in where) {
    const { openEmbedded } = await import('../store/embedded.ts')
    const { archive, database, client, room } = await openEmbedded(where.folder)
    return { archive, database, room, boss: { db: fromPglite(client), backend: 'pglite' } }
  }
  const { openServer } = await import('../store/server.ts')
  const { archive, database, pool } = await openServer(where.address)
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  return { archive, database, boss: { db: { executeSql } }, shared: { pool, address: where.address } }
}

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

// payers: Who pays for a session: the person whose it is, and the team.

/** Milliseconds between two looks for holds that nobody will settle. */
const lookEvery = 1_000

/**
 * Counts what dead runners held as used. Their sessions may wait for a free place: if it is taken by runs that wait for
 * what they held, nothing would ever go on.
 */
const releasingDead = (ledger: Ledger, jobs: Jobs): (() => Promise<void>) => {
  let looked = -Infinity
  return async () => {
    if (performance.now() - looked < lookEvery) return
    looked = performance.now()
    const holders = await ledger.holders()
    const taken = await jobs.taken(holders)
    for (const session of holders) if (!taken.has(session)) await ledger.release(session)
  }
}

/** A ledger that waits while the database is away. */
const patientLedger = (ledger: Ledger, jobs: Jobs, wait: Wait): Ledger => {
  const releaseDead = releasingDead(ledger, jobs)
  return {
    async hold(request) {
      const reply = await untilBack(() => ledger.hold(request), wait)
      if ('wait' in reply) await untilBack(releaseDead, wait)
      return reply
    },
    holders: () => untilBack(() => ledger.holders(), wait),
    settle: (id, used) => untilBack(() => ledger.settle(id, used), wait),
    release: session => untilBack(() => ledger.release(session), wait),
  }
}

/** Many sessions may begin at once. Those without an owner are left out. */
const ownersOf = async (database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Payer>> => {
  const rows = await database
    .select({ session: sessions.id, owner: sessions.owner, person: records.value })
    .from(sessions)
    .leftJoin(records, and(eq(records.kind, 'person'), eq(records.key, sessions.owner)))
    .where(and(inArray(sessions.id, [...ids]), isNotNull(sessions.owner)))
  const payerIn = ({ owner, person }: (typeof rows)[number]): Payer => ({
    id: owner!,
    name: (person as { readonly name?: string } | null)?.name,
  })
  return new Map(rows.map(row => [row.session, payerIn(row)]))
}

/** Asked when it matters: its owner may share it, or take that back, while it runs. A session that is gone tells nothing. */
const isPrivate = async (database: Database, session: string): Promise<boolean> => {
  const [row] = await database
    .select({ owner: sessions.owner, visibility: sessions.visibility })
    .from(sessions)
    .where(eq(sessions.id, session))
  return !row || (row.owner !== null && row.visibility !== 'team')
}

/** How a session is paid for. */
export interface Paying extends Pick<Watch, 'withOwnProviders' | 'owner' | 'isPrivate'> {
  readonly payer: PayerMeter
}

/** The keys and endpoints that a person entered for their own sessions. */
export type OwnProviders = (person: string) => Promise<Watch['withOwnProviders']>

export interface PayersOptions {
  /** Budgets count for sessions of nobody in particular, too. */
  readonly accounts: boolean
  readonly ownProviders?: OwnProviders | undefined
  readonly clock: () => number
}

export interface Payers {
  /** The budgets that a session is checked against; what an earlier runner of it held counts as used from now on. */
  payingFor(session: string): Promise<Paying | undefined>
  /** The budgets for calls outside of any session. */
  meterOf(person: Payer): PayerMeter
}

export const payersOn = (database: Database, jobs: Jobs, wait: Wait, options: PayersOptions): Payers => {
  const { accounts, ownProviders, clock } = options
  const ledger = patientLedger(postgresLedger(database), jobs, wait)
  const withTeam = (owner: Payer | undefined): readonly Payer[] => [
    ...(owner ? [owner] : []),
    { id: teamPayer },
  ]
  const ownerOf = grouped(async (wanted: readonly { readonly id: string }[]) => {
    const owners = await ownersOf(
      database,
      wanted.map(({ id }) => id),
    )
    return ({ id }) => owners.get(id)
  })
  return {
    async payingFor(session) {
      const owner = await untilBack(() => ownerOf({ id: session }), wait)
      if (!owner && !accounts) return undefined
      await ledger.release(session)
      return {
        payer: payerMeter({ ledger, payers: withTeam(owner), session, clock }),
        owner: owner?.id,
        isPrivate: () => untilBack(() => isPrivate(database, session), wait),
        withOwnProviders: owner && (await ownProviders?.(owner.id)),
      }
    },
    meterOf: person => payerMeter({ ledger, payers: withTeam(person), clock }),
  }
}

// engine: What every process that stores and runs sessions has: the archive, the bus, and the queue of runs.

export interface Queue {
  /** Stores a session's first event, with the rest of a copied log, and queues its run: all or nothing. Without an owner it is the team's. */
  open(
    first: SessionEvent & SessionOpened,
    rest?: readonly SessionEvent[],
    ownership?: Ownership,
  ): Promise<void>
  /**
   * Appends what a person did to a session and queues its run, both or neither; then tells watchers and the runner.
   * Fails with PositionTaken if the log has grown meanwhile: read it again, and decide again.
   */
  interject(session: string, position: number, happening: Happening): Promise<SessionEvent>
}

export interface Engine {
  readonly archive: Archive
  readonly bus: Bus
  readonly queue: Queue
  /** No other process can open the archive while this one has it. */
  readonly alone?: boolean
  /** The budgets of a person and the team, for calls outside of any session. */
  readonly meterOf?: Payers['meterOf']
  /** Ids of sessions that this process is running now. */
  running(): readonly string[]
  /** Releases running sessions for other processes, and closes everything. */
  close(): Promise<void>
}

// patientStore: A store that waits while the database is away or its disk is full. A run that failed instead would lose the answers that it has and the
// store hasn't, and the next run would pay for them again.

export const patientStore = (store: Store, wait: Wait, room?: Room): Store => ({
  ...store,
  read: (id, after) => untilBack(() => store.read(id, after), wait),
  append: (id, events) =>
    untilBack(async again => {
      room?.check()
      try {
        await store.append(id, events)
      } catch (error) {
        // The connection may have broken after the events were stored, and before we were told.
        const taken = again && PositionTaken.isInstance(error)
        if (!taken || !(await wasAppended(store, id, events))) throw error
      }
    }, wait),
})

// queue: Stores new sessions, and what people do to sessions, together with the job that runs them.

interface QueueParts {
  readonly database: Database
  readonly jobs: Jobs
  readonly bus: Bus
  /** Tells the workers of all processes that there is something to do. */
  readonly wake: () => void
  readonly room: Room | undefined
}

export const queueOn = ({ database, jobs, bus, wake, room }: QueueParts): Queue => {
  const storeAll = grouped(async (appends: readonly Append[]) => {
    const stood = await database.transaction(async transaction => {
      const stored = await appendLogs(transaction, appends)
      await jobs.add([...stored], transaction)
      return stored
    })
    return ({ id }) => stood.has(id)
  })
  const store = async (
    session: string,
    added: readonly SessionEvent[],
    ownership?: Ownership,
  ): Promise<void> => {
    const append = checkedAppend(session, added, ownership)
    room?.check()
    if (!(await storeAll(append))) throw new PositionTaken(session, append.first)
    for (const event of added) bus.publish(session, event)
    wake()
  }
  return {
    open: (first, rest = [], ownership) => store(first.id, [first, ...rest], ownership),
    async interject(session, position, happening) {
      const event = stamped(happening, position, Date.now)
      await store(session, [event])
      return event
    },
  }
}

// waiting: Two ways to wait: for a signal or a timeout, and for one's turn.

/** Sleeps until it is woken or the time is up. If it is woken while nobody sleeps, the next sleep ends at once. */
export const alarm = () => {
  let woken = false
  let wakeNow = (): void => {}
  return {
    wake(): void {
      woken = true
      wakeNow()
    },
    async sleep(milliseconds: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, woken ? 0 : milliseconds)
      wakeNow = resolve
      await promise
      clearTimeout(timer)
      woken = false
    },
  }
}

/** Each task begins when the one before it has ended. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const now = last.then(work)
    last = now.catch(() => {})
    return now
  }
}

// slots: Slots that all processes on one database server share. They are advisory locks of a connection, so that when a process
// dies, its connection closes and its slots are free.

/** With the slots that its connection holds: another set means another connection. */
interface TakenSlot {
  readonly slot: number
  readonly own: Set<number>
}

export interface SharedSlots extends Slots {
  close(): Promise<void>
}

/** Nobody is told of a free slot. Processes that wait look again after a random pause, so that they take turns. */
const shortest = 10
const longest = 40
const afterError = 1_000

export const sharedSlots = (address: string, logger: Logger): SharedSlots => {
  const random = randomFor(`${process.pid}`)
  const held = new Map<string, Set<number>>()
  let closed = false
  let connecting: Promise<Client> | undefined

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: address, keepAlive: true })
    client.on('error', () => {})
    await client.connect()
    // The server has released all slots of a closed connection. Not earlier: a connection that could not be made ends
    // too, perhaps after the next one was made, whose slots nobody would release any more.
    client.once('end', () => {
      connecting = undefined
      held.clear()
    })
    return client
  }
  const connection = (): Promise<Client> => {
    connecting ??= connect().catch(error => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /** A connection runs one query at a time, and could take a lock of its own a second time: one try after another. */
  const inLine = oneByOne()

  const tryOnce = (name: string, of: number): Promise<TakenSlot | undefined> =>
    inLine(async () => {
      const client = await connection()
      const own = held.get(name) ?? new Set()
      held.set(name, own)
      const others = Array.from({ length: of }, (_, slot) => slot).filter(slot => !own.has(slot))
      const { rows } = await client.query<{ slot: number }>(
        'SELECT slot FROM unnest($2::int[]) AS free(slot) WHERE pg_try_advisory_lock($1, slot) LIMIT 1',
        [hash(name) | 0, others],
      )
      const slot = rows[0]?.slot
      if (slot === undefined) return undefined
      own.add(slot)
      return { slot, own }
    })
  const leave = (name: string, { slot, own }: TakenSlot): Promise<void> =>
    inLine(async () => {
      // A slot of an earlier connection is free already, and somebody else's on this one.
      if (held.get(name) !== own || !own.delete(slot)) return
      await (await connection()).query('SELECT pg_advisory_unlock($1, $2)', [hash(name) | 0, slot])
    })
  const report = (error: unknown): void =>
    logger.warn({ error: String(error) }, 'The limits shared with other processes could not be checked.')

  return {
    async take(name, of) {
      while (!closed) {
        const taken = await tryOnce(name, of).catch(error => {
          report(error)
          return sleep(afterError, undefined, { ref: false })
        })
        if (taken) return () => void leave(name, taken).catch(report)
        await sleep(shortest + random() * (longest - shortest))
      }
      // Its caller has been cancelled already.
      return new Promise(() => {})
    },
    async close() {
      closed = true
      await connecting?.then(client => client.end()).catch(() => {})
    },
  }
}
