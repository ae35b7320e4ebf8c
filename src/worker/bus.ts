/** Tells watchers what happens in sessions, in whichever process the sessions run. */
import type { Delta, LiveEvent, Retrying } from '../core/log/live-event.ts'
import { keepDrafts } from './drafts.ts'

export type BusListener = (event: LiveEvent) => void

export interface Bus {
  /**
   * Tells everybody who watches the session. A committed event is published after it is stored. It may arrive twice or
   * get lost: watchers compare positions, and read the store if one is missing.
   */
  publish(session: string, event: LiveEvent): void
  /** Returns the function that unsubscribes. If nobody wants more than committed events, the rest isn't sent. */
  subscribe(session: string, listener: BusListener, wants?: 'all' | 'committed'): () => void
  /** What seats are writing, as far as this process knows: with it, a new watcher misses nothing. */
  drafts(session: string): readonly (Delta | Retrying)[]
  close(): Promise<void>
}

export interface LocalBus extends Bus {
  /** Whether anybody in this process wants events that are not stored. */
  watched(session: string): boolean
  /** The sessions that are watched or subscribed to in this process. */
  sessions(): readonly string[]
}

/** Within one process. Enough for an embedded database, which no other process can open. */
export const localBus = (): LocalBus => {
  const audiences = new Map<string, Map<symbol, { readonly listener: BusListener; readonly all: boolean }>>()
  const drafts = keepDrafts()
  return {
    publish(session, event) {
      drafts.take(session, event)
      const committed = 'position' in event
      for (const { listener, all } of audiences.get(session)?.values() ?? []) {
        if (all || committed) listener(event)
      }
    },
    subscribe(session, listener, wants = 'all') {
      const audience = audiences.get(session) ?? new Map()
      const subscription = Symbol(session)
      audiences.set(session, audience.set(subscription, { listener, all: wants === 'all' }))
      return () => {
        audience.delete(subscription)
        if (audience.size === 0 && audiences.get(session) === audience) audiences.delete(session)
      }
    },
    drafts: drafts.of,
    watched: session => [...(audiences.get(session)?.values() ?? [])].some(({ all }) => all),
    sessions: () => [...audiences.keys()],
    async close() {
      audiences.clear()
    },
  }
}
