/**
 * A store that waits while the database is away or its disk is full. A run that failed instead would lose the answers that it has and the
 * store hasn't, and the next run would pay for them again.
 */
import { untilBack, type Wait } from '../store/database-away.ts'
import type { Room } from '../store/room.ts'
import { PositionTaken, type Store } from '../store/store.ts'
import { wasAppended } from '../store/was-appended.ts'

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
