/** Hands every event of a running session to everybody who watches it; a late watcher gets what was committed. */
import type { SessionEvent } from '../core/log/event.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import { type Channel, channel } from './channel.ts'

export interface Watchers extends AsyncIterable<LiveEvent> {
  publish(event: LiveEvent): void
  close(): void
  fail(error: unknown): void
}

export const createWatchers = (): Watchers => {
  const committed: SessionEvent[] = []
  const open = new Set<Channel<LiveEvent>>()
  let ended = false
  let failure: { error: unknown } | undefined
  return {
    publish(event) {
      if ('position' in event) committed.push(event)
      for (const watcher of open) watcher.put(event)
    },
    close() {
      ended = true
      for (const watcher of open) watcher.close()
    },
    fail(error) {
      failure = { error }
      for (const watcher of open) watcher.fail(error)
    },
    [Symbol.asyncIterator]() {
      const watcher = channel<LiveEvent>(committed, () => open.delete(watcher))
      if (failure) watcher.fail(failure.error)
      if (ended) watcher.close()
      open.add(watcher)
      return watcher
    },
  }
}
