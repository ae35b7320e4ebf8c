/** Stores new sessions, and what people do to sessions, together with the job that runs them. */
import { withheldLog } from '../core/letters/withheld.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { stamped } from '../core/log/stamp.ts'
import type { Ownership } from '../store/archive/archive.ts'
import type { Database } from '../store/database.ts'
import { grouped } from '../store/grouped.ts'
import { type Append, appendLogs, checkedAppend } from '../store/postgres-log.ts'
import type { Room } from '../store/room.ts'
import { PositionTaken } from '../store/store.ts'
import type { Bus } from './bus.ts'
import type { Queue } from './engine.ts'
import type { Jobs } from './jobs.ts'

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
    for (const event of withheldLog(added)) bus.publish(session, event)
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
