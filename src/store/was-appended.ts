/** An append whose reply got lost may have been stored. */
import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent } from '../core/log/event.ts'
import type { Store } from './store.ts'

/** Whether exactly these events stand at their place in the log. */
export const wasAppended = async (
  store: Pick<Store, 'read'>,
  id: string,
  events: readonly SessionEvent[],
): Promise<boolean> => {
  const stored = await store.read(id, (events[0]?.position ?? 0) - 1)
  return isDeepStrictEqual(stored.slice(0, events.length), JSON.parse(JSON.stringify(events)))
}
