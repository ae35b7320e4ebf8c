/** Ends a session that can't be run, with the reason in its log, so that a person can fix the cause and resume it. */

import { allStamped, type Happening } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { isInterjection } from '../count/acts.ts'
import { type Archive, remembering, rememberingBriefly } from '../store/archive.ts'
import type { Room } from '../store/embedded.ts'
import { readingAgain, untilBack, type Wait } from '../store/postgres.ts'
import {
  appendLog,
  countTries,
  grouped,
  groupedAppends,
  lengthsHeld,
  readLogs,
  triesOf,
  uncountTry,
} from '../store/postgres-log.ts'
import type { Database } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { localSlots, type Slots } from './budget.ts'
import { type Bus, coalescing, type Logger, localBus, openSharedBus, silentLogger } from './bus.ts'
import {
  alarm,
  type Engine,
  type EngineDatabase,
  type Jobs,
  type OwnProviders,
  openEngineDatabase,
  openJobs,
  type Payers,
  patientStore,
  payersOn,
  queueOn,
  sharedSlots,
  type TakenJob,
  type Where,
} from './jobs.ts'
import { outsideDeadlineOf, RunAbandoned } from './run.ts'
import type { Runtime } from './runtime.ts'

const longestReason = 500

const reasonOf = (error: unknown): string => {
  const words = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim()
  return words.length > longestReason ? `${words.slice(0, longestReason - 1)}…` : words
}

const ending = (error: unknown): Happening[] => {
  const reason = reasonOf(error)
  const words = `The session could not run: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`
  return [
    { type: 'session-stopped', reason: 'failed', words },
    { type: 'session-finished', outcome: 'failed' },
  ]
}

export const giveUp = async (
  { store, database, jobs, bus }: { store: Store; database: Database; jobs: Jobs; bus: Bus },
  job: TakenJob,
  error: unknown,
): Promise<void> => {
  const { session } = job.data
  const { length } = await store.read(session)
  const events = allStamped(ending(error), length, Date.now)
  await database.transaction(async transaction => {
    await appendLog(transaction, session, events)
    await jobs.done([job], transaction)
  })
  for (const event of events) bus.publish(session, event)
}

// runWatch: What a run sees and says of its session while it runs.

/** Wakes the run when somebody else has written to its log. An event of the run itself shows that it makes progress. */
export const watchOf = (bus: Bus, session: string, progressed: () => void) => {
  let newest = -1
  return {
    publish(event: Parameters<Bus['publish']>[1]): void {
      if ('position' in event) {
        newest = Math.max(newest, event.position)
        if (event.type !== 'calls-begun') progressed()
      }
      bus.publish(session, event)
    },
    interjected: (wake: () => void) =>
      bus.subscribe(
        session,
        event => {
          if ('position' in event && event.position > newest && isInterjection(event)) wake()
        },
        'committed',
      ),
  }
}

// runs: Takes the jobs of sessions from the queue and runs the sessions, as many at once as this process may.

export interface Runs {
  /** There may be something to do. */
  wake(): void
  running(): readonly string[]
  /** Releases what is running for other processes, without waiting for it to end. */
  close(): Promise<void>
}

export interface RunsOptions {
  readonly store: Store
  readonly database: Database
  readonly jobs: Jobs
  readonly bus: Bus
  readonly runtime: Pick<Runtime, 'carryOn'>
  readonly concurrency: number
  readonly logger: Logger
  /** How runs wait for a database that is away. It ends when the process closes. */
  readonly wait: Wait
  readonly room: Room | undefined
  /** Who pays for a session. What an earlier runner of it held counts as used from then on. */
  readonly payingFor?: Payers['payingFor'] | undefined
}

/** A run that throws may succeed elsewhere or later: another process may have the provider that this one lacks. */
const mostTries = 3
/**
 * Tries during which the process died. One that kills every process must end, and must not take those with it that
 * happened to run beside it: after three deaths a session begins alone, with no other suspect that may be the one.
 */
const deathsBeforeAlone = 3
const mostDeaths = 10

const lookEvery = 1_000
const holdEvery = 3_000

interface Run {
  /** Another one after the first has lapsed and this process has taken the session again. */
  job: TakenJob
  readonly abandon: AbortController
  begun: boolean
  /** It failed: what is taken from now on is for the next run. */
  failed: boolean
  done: Promise<void>
}

/** A session whose run has ended, and how long its log was then. */
interface Ended {
  readonly id: string
  readonly job: TakenJob
  readonly length: number
  /** It waits for somebody outside, at most until then. */
  readonly until: number | undefined
}

export const startRuns = (options: RunsOptions): Runs => {
  const { database, jobs, bus, runtime, concurrency, logger, wait, room } = options
  const runs = new Map<string, Run>()
  const queueAlarm = alarm()
  /** Settles when all suspects so far are harmless: their logs have grown, or their runs have ended. */
  let harmless = Promise.resolve()
  let closing = false
  const canWrite = (): boolean => room?.has() ?? true

  /** Removes the job, unless somebody has written to the log since: then the session has more to do. */
  const settle = grouped((ended: readonly Ended[]) =>
    database.transaction(async transaction => {
      const lengths = await lengthsHeld(
        transaction,
        ended.map(({ id }) => id),
      )
      const over = new Set(ended.filter(({ id, length }) => (lengths.get(id) ?? length) === length))
      const resting = [...over].flatMap(({ job, until }) => (until === undefined ? [] : [{ job, until }]))
      await jobs.rest(resting, transaction)
      await jobs.done(
        [...over].filter(({ until }) => until === undefined).map(({ job }) => job),
        transaction,
      )
      return (one: Ended) => over.has(one)
    }),
  )

  const read = grouped(async (wanted: readonly { readonly id: string }[]) => {
    const logs = await readLogs(
      database,
      wanted.map(({ id }) => id),
    )
    return ({ id }) => logs.get(id) ?? []
  })

  const carryOn = async (run: Run, progressed: () => void): Promise<void> => {
    const { session } = run.job.data
    const paying = await options.payingFor?.(session)
    const watching = { ...watchOf(bus, session, progressed), abandoned: run.abandon.signal, ...paying }
    for (;;) {
      const log = await untilBack(() => read({ id: session }), wait)
      // The last runner may have died after it wrote this event and before it published it.
      if (log.length > 0) bus.publish(session, log.at(-1)!)
      const whole = log.length > 0 ? await runtime.carryOn(log, watching).finally(paying?.payer.settled) : []
      const ended = async () => {
        room?.check()
        const until = whole.length > 0 ? outsideDeadlineOf(fold(whole)) : undefined
        return settle({ id: session, job: run.job, length: whole.length, until })
      }
      if (await untilBack(ended, wait)) return
    }
  }

  const attend = async (run: Run, tries: number, progressed = (): void => {}): Promise<void> => {
    const { session } = run.job.data
    run.begun = true
    try {
      if (tries > mostDeaths)
        throw new Error(
          `The process died ${mostDeaths} times while it ran the session. It is set aside until somebody resumes it.`,
        )
      await carryOn(run, progressed)
    } catch (error) {
      // A database that is away while the process closes is not the session's fault either.
      if (error instanceof RunAbandoned || wait.signal.aborted) {
        if (canWrite()) await uncountTry(database, session)
        return
      }
      run.failed = true
      logger.warn({ session, tries, error: String(error) }, 'A run failed.')
      if (tries < mostTries) await jobs.putBack([run.job], tries)
      else await giveUp(options, run.job, error)
    }
  }

  /** The next suspect begins when the log of this one has grown, or its run has ended. */
  const attendAlone = async (run: Run): Promise<void> => {
    const { promise, resolve: progressed } = Promise.withResolvers<void>()
    const before = harmless
    harmless = promise
    try {
      // The suspect before it may wait for the money that this one's dead runner holds: it counts as used before the wait.
      await options.payingFor?.(run.job.data.session)
      await before
      if (run.abandon.signal.aborted) return
      const { session } = run.job.data
      const tries = await countTries(database, [session])
      await attend(run, tries.get(session) ?? 0, progressed)
    } finally {
      progressed()
    }
  }

  const start = (job: TakenJob, attended: (run: Run) => Promise<void>): void => {
    const { session } = job.data
    const run: Run = {
      job,
      abandon: new AbortController(),
      begun: false,
      failed: false,
      done: Promise.resolve(),
    }
    runs.set(session, run)
    run.done = attended(run)
      .catch(error => {
        run.failed = true
        logger.error({ session, error: String(error) }, 'A run failed, and its end could not be stored.')
        return jobs.putBack([run.job], mostTries)
      })
      // The database can't be reached. The heartbeat ends with the run, so another process takes the job later.
      .catch(error => logger.error({ session, error: String(error) }, 'A job could not be put back.'))
      .finally(() => {
        const wasFull = runs.size >= concurrency
        // A run that lost its job may end after the next run of the session has begun here.
        if (runs.get(session) === run) runs.delete(session)
        if (wasFull) queueAlarm.wake()
      })
  }

  /**
   * The job of a run lapses while the database is away. If this process takes it again, the run goes on with the new job:
   * a second run would ask again for the answers that the first one is waiting for.
   */
  const continued = (job: TakenJob): boolean => {
    const run = runs.get(job.data.session)
    if (!run || run.job.id !== job.id || run.failed || run.abandon.signal.aborted) return false
    run.job = job
    return true
  }

  const startAll = async (all: readonly TakenJob[]): Promise<void> => {
    const taken = all.filter(job => !continued(job))
    if (taken.length === 0) return
    const before = await triesOf(
      database,
      taken.map(({ data }) => data.session),
    )
    const triesBefore = ({ data }: TakenJob): number => before.get(data.session) ?? 0
    const sorted = taken.toSorted((one, other) => triesBefore(one) - triesBefore(other))
    const others = sorted.filter(job => triesBefore(job) < deathsBeforeAlone)
    const sessions = others.map(({ data }) => data.session)
    const tries = await countTries(database, sessions)
    for (const job of others) start(job, run => attend(run, tries.get(job.data.session) ?? 0))
    for (const job of sorted.slice(others.length)) start(job, attendAlone)
  }

  const look = async (most = concurrency - runs.size): Promise<void> => {
    // To take a job is to write, too.
    const taken = most > 0 && canWrite() ? await jobs.take(most) : []
    if (taken.length === 0) return
    logger.debug({ sessions: taken.map(({ data }) => data.session) }, 'Took sessions from the queue.')
    await startAll(taken).catch(async error => {
      await jobs.putBack(taken)
      throw error
    })
  }

  const looking = (async () => {
    while (!closing) {
      await look().catch(error => logger.warn({ error: String(error) }, 'The queue could not be read.'))
      if (!closing) await queueAlarm.sleep(lookEvery)
    }
  })()

  let retaking = Promise.resolve()
  const hold = async (): Promise<void> => {
    if (!canWrite()) return
    const lost = await jobs.hold([...runs.values()].map(run => run.job))
    // They lapsed while the database was away. Nobody may have taken them yet.
    if (lost.length > 0 && !closing) {
      retaking = look(lost.length)
      await retaking
    }
    for (const job of lost) {
      const run = runs.get(job.data.session)
      if (run?.job === job) run.abandon.abort()
    }
  }
  const holding = setInterval(() => {
    hold().catch(error => logger.warn({ error: String(error) }, 'The heartbeat could not be sent.'))
  }, holdEvery)

  return {
    wake: queueAlarm.wake,
    running: () => [...runs].filter(([, run]) => run.begun).map(([session]) => session),
    async close() {
      closing = true
      queueAlarm.wake()
      clearInterval(holding)
      // What either of them takes from now on would run on without a database.
      await Promise.allSettled([looking, retaking])
      const left = [...runs.values()]
      for (const run of left) run.abandon.abort()
      await Promise.all(left.map(run => run.done))
      // Without room, the next process on this disk finds them taken by nobody.
      if (canWrite()) await jobs.putBack(left.map(({ job }) => job))
    },
  }
}

// open: Opens an engine: the archive, the bus and the queue of a process, and the runs if it takes any.

export interface EngineOptions {
  readonly where: Where
  /** Runs sessions over this store, with the limits of providers counted in these slots. */
  readonly runtime: (store: Store, slots: Slots) => Pick<Runtime, 'carryOn'>
  /** Whether this process also runs sessions; true by default. */
  readonly work?: boolean
  /** How many sessions this process runs at once. */
  readonly concurrency?: number
  readonly logger?: Logger
  /** Checks every session against the budgets of people and of the team. Otherwise only those that have an owner. */
  readonly accounts?: boolean
  /** Where people's own keys of makers and endpoints are. Absent: nobody has any. */
  readonly ownProviders?: ((archive: Archive) => OwnProviders) | undefined
  /** Milliseconds since 1970, for the days that budgets count. */
  readonly clock?: () => number
}

const usualConcurrency = 200

const openOn = async (opened: EngineDatabase, options: EngineOptions): Promise<Engine> => {
  const { work = true, concurrency = usualConcurrency, logger = silentLogger } = options
  const { accounts = false, clock = Date.now } = options
  const { database, room } = opened
  const archive = opened.shared
    ? rememberingBriefly(readingAgain(opened.archive))
    : remembering(opened.archive)
  let wakeHere = (): void => {}
  const shared = opened.shared
    ? await openSharedBus({ ...opened.shared, store: archive, logger, onWork: () => wakeHere() })
    : undefined
  const bus = coalescing(shared ?? localBus())
  const jobs = await openJobs(opened, logger)
  const closing = new AbortController()
  const wait: Wait = {
    signal: closing.signal,
    begun: error => logger.warn({ error: String(error) }, 'A session waits for the database.'),
  }
  const store = patientStore({ ...archive, append: groupedAppends(database) }, wait, room)
  const slots = opened.shared ? sharedSlots(opened.shared.address, logger) : undefined
  const runtime = options.runtime(store, slots ?? localSlots())
  const ownProviders = options.ownProviders?.(archive)
  const { payingFor, meterOf } = payersOn(database, jobs, wait, { accounts, ownProviders, clock })
  const parts = { store, database, jobs, bus, runtime, concurrency, logger, wait, room, payingFor }
  const runs = work ? startRuns(parts) : undefined
  if (runs) wakeHere = runs.wake
  const wake = (): void => {
    wakeHere()
    shared?.work()
  }
  return {
    archive,
    bus,
    queue: queueOn({ database, jobs, bus, wake, room }),
    alone: !opened.shared,
    meterOf,
    running: () => runs?.running() ?? [],
    async close() {
      closing.abort()
      await runs?.close()
      // Other processes take the released jobs at once, instead of when they look next.
      shared?.work()
      await slots?.close()
      await jobs.close()
      await bus.close()
      await archive.close()
    },
  }
}

export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const opened = await openEngineDatabase(options.where)
  try {
    return await openOn(opened, options)
  } catch (error) {
    await opened.archive.close()
    throw error
  }
}
