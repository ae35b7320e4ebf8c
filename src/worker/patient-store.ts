/**
 * A store that waits while the database is away. A run that failed instead would lose the answers that it has and the
 * store hasn't, and the next run would pay for them again.
 */
import { untilBack } from '../store/database-away.ts'
import { PositionTaken, type Store } from '../store/store.ts'
import { wasAppended } from '../store/was-appended.ts'

/** Once the signal is aborted, nothing waits any more. */
export const patientStore = (store: Store, closing: AbortSignal): Store => ({
  ...store,
  read: (id, after) => untilBack(() => store.read(id, after), closing),
  append: (id, events) =>
    untilBack(async again => {
      try {
        await store.append(id, events)
      } catch (error) {
        // The connection may have broken after the events were stored, and before we were told.
        const taken = again && PositionTaken.isInstance(error)
        if (!taken || !(await wasAppended(store, id, events))) throw error
      }
    }, closing),
})
