/** Opens an engine: the archive, the bus and the queue of a process, and the runs where it takes any. */
import type { Roundtable } from '../runtime/roundtable.ts'
import type { Store } from '../store/store.ts'
import { localBus } from './bus.ts'
import type { Engine } from './engine.ts'
import { openJobs } from './jobs.ts'
import { type Logger, silentLogger } from './logger.ts'
import { openPlace, type Where } from './place.ts'
import { queueOn } from './queue.ts'
import { startRuns } from './runs.ts'

export interface EngineOptions {
  readonly where: Where
  /** Who is asked, over the store that is handed in. */
  readonly table: (store: Store) => Roundtable
  /** Whether this process also runs sessions; it does unless told. */
  readonly work?: boolean
  /** How many sessions this process runs at once. */
  readonly concurrency?: number
  readonly logger?: Logger
}

const usualConcurrency = 200

export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const { where, work = true, concurrency = usualConcurrency, logger = silentLogger } = options
  const place = await openPlace(where)
  const { archive, database } = place
  const bus = localBus()
  const jobs = await openJobs(place, logger)
  const table = options.table(archive)
  const runs = work
    ? startRuns({ store: archive, database, jobs, bus, table, concurrency, logger })
    : undefined
  return {
    archive,
    bus,
    queue: queueOn({ database, jobs, bus, wake: () => runs?.wake() }),
    running: () => runs?.running() ?? [],
    async close() {
      await runs?.close()
      await jobs.close()
      await bus.close()
      await archive.close()
    },
  }
}
