/** A store for tests and for sessions that nobody wants to keep. */
import type { SessionEvent } from '../core/event.ts'
import { checkedId, firstPosition, listed, newestFirst } from './log.ts'
import { PositionTaken, type Store } from './store.ts'

export const memoryStore = (): Store => {
  const logs = new Map<string, SessionEvent[]>()
  return {
    async append(id, events) {
      const log = logs.get(checkedId(id)) ?? []
      const first = firstPosition(events)
      if (events.length === 0) return
      if (first !== log.length) throw new PositionTaken(id, first)
      logs.set(id, [...log, ...structuredClone(events)])
    },
    async read(id, after = -1) {
      return structuredClone(logs.get(checkedId(id)) ?? []).slice(after + 1)
    },
    async list() {
      return newestFirst([...logs.values()].map(listed))
    },
    async remove(id) {
      logs.delete(checkedId(id))
    },
  }
}
