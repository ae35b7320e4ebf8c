/** Tells watchers what happens in sessions, wherever the sessions run. */
import type { LiveEvent } from '../core/event.ts'

export interface Bus {
  /**
   * Tells everybody who watches the session. A committed event is published after it is stored; whoever watches
   * goes by positions, for one may come twice, and reads the store where one is missing.
   */
  publish(session: string, event: LiveEvent): void
  /** Gives back how to leave. */
  subscribe(session: string, listener: (event: LiveEvent) => void): () => void
  close(): Promise<void>
}

/** Within one process: what an embedded database needs, for nobody else can open it. */
export const localBus = (): Bus => {
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>()
  return {
    publish(session, event) {
      for (const listener of listeners.get(session) ?? []) listener(event)
    },
    subscribe(session, listener) {
      const watching = listeners.get(session) ?? new Set()
      listeners.set(session, watching.add(listener))
      return () => {
        watching.delete(listener)
        if (watching.size === 0) listeners.delete(session)
      }
    },
    async close() {
      listeners.clear()
    },
  }
}
