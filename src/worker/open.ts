/** Opens an engine: the archive, the bus and the queue of a process, and the runs if it takes any. */
import type { Runtime } from '../runtime/runtime.ts'
import { localSlots, type Slots } from '../runtime/slots.ts'
import type { Archive } from '../store/archive/archive.ts'
import { readersOf } from '../store/archive/readers.ts'
import { readingAgain } from '../store/archive/reading-again.ts'
import { remembering, rememberingBriefly } from '../store/archive/remembered.ts'
import type { Wait } from '../store/database-away.ts'
import { groupedAppends } from '../store/grouped.ts'
import type { Store } from '../store/store.ts'
import { localBus } from './bus.ts'
import { coalescing } from './coalesce.ts'
import type { Engine } from './engine.ts'
import { type EngineDatabase, openEngineDatabase, type Where } from './engine-database.ts'
import { openJobs } from './jobs.ts'
import { type Logger, silentLogger } from './logger.ts'
import { patientStore } from './patient-store.ts'
import { type OwnProviders, payersOn } from './payers.ts'
import { queueOn } from './queue.ts'
import { type RunsOptions, startRuns } from './runs.ts'
import { openSharedBus } from './shared-bus.ts'
import { sharedSlots } from './slots.ts'

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
  readonly suspectMs?: RunsOptions['suspectMs']
}

const usualConcurrency = 200

const openOn = async (opened: EngineDatabase, options: EngineOptions): Promise<Engine> => {
  const { work = true, concurrency = usualConcurrency, logger = silentLogger } = options
  const { accounts = false, clock = Date.now, suspectMs } = options
  const { database, room } = opened
  const archive = opened.shared
    ? rememberingBriefly(readingAgain(opened.archive))
    : remembering(opened.archive)
  let wakeHere = (): void => {}
  const shared = opened.shared
    ? await openSharedBus({ ...opened.shared, store: readersOf(archive), logger, onWork: () => wakeHere() })
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
  const parts = { store, database, jobs, bus, runtime, concurrency, logger, wait, room, payingFor, suspectMs }
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
