/** Opens an engine: the archive, the bus and the queue of a process, and the runs where it takes any. */
import type { Runtime } from '../runtime/runtime.ts'
import { localSlots, type Slots } from '../runtime/slots.ts'
import { groupedAppends } from '../store/grouped.ts'
import type { Store } from '../store/store.ts'
import { localBus } from './bus.ts'
import { coalescing } from './coalesce.ts'
import type { Engine } from './engine.ts'
import { type EngineDatabase, openEngineDatabase, type Where } from './engine-database.ts'
import { openJobs } from './jobs.ts'
import { type Logger, silentLogger } from './logger.ts'
import { queueOn } from './queue.ts'
import { startRuns } from './runs.ts'
import { openSharedBus } from './shared-bus.ts'
import { sharedSlots } from './slots.ts'

export interface EngineOptions {
  readonly where: Where
  /** Runs sessions over the store that is handed in, under limits that are counted in the slots. */
  readonly runtime: (store: Store, slots: Slots) => Pick<Runtime, 'carryOn'>
  /** Whether this process also runs sessions; it does unless told. */
  readonly work?: boolean
  /** How many sessions this process runs at once. */
  readonly concurrency?: number
  readonly logger?: Logger
}

const usualConcurrency = 200

const openIn = async (place: EngineDatabase, options: EngineOptions): Promise<Engine> => {
  const { work = true, concurrency = usualConcurrency, logger = silentLogger } = options
  const { archive, database } = place
  let wakeHere = (): void => {}
  const shared = place.shared
    ? await openSharedBus({ ...place.shared, store: archive, logger, onWork: () => wakeHere() })
    : undefined
  const bus = coalescing(shared ?? localBus())
  const jobs = await openJobs(place, logger)
  const store: Store = { ...archive, append: groupedAppends(database) }
  const slots = place.shared ? sharedSlots(place.shared.address, logger) : undefined
  const runtime = options.runtime(store, slots ?? localSlots())
  const parts = { store, database, jobs, bus, runtime, concurrency, logger }
  const runs = work ? startRuns(parts) : undefined
  if (runs) wakeHere = runs.wake
  const wake = (): void => {
    wakeHere()
    shared?.work()
  }
  return {
    archive,
    bus,
    queue: queueOn({ database, jobs, bus, wake }),
    alone: !place.shared,
    running: () => runs?.running() ?? [],
    async close() {
      await runs?.close()
      // What was handed over need not wait until somebody looks.
      shared?.work()
      await slots?.close()
      await jobs.close()
      await bus.close()
      await archive.close()
    },
  }
}

export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const place = await openEngineDatabase(options.where)
  try {
    return await openIn(place, options)
  } catch (error) {
    await place.archive.close()
    throw error
  }
}
