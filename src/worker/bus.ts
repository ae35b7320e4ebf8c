/** Tells watchers what happens in sessions, wherever the sessions run. */
import type { Delta, LiveEvent, Retrying } from '../core/log/event.ts'
import { keepDrafts } from './drafts.ts'

export type BusListener = (event: LiveEvent) => void

export interface Bus {
  /**
   * Tells everybody who watches the session. A committed event is published after it is stored; whoever watches
   * goes by positions, for one may come twice, and reads the store where one is missing.
   */
  publish(session: string, event: LiveEvent): void
  /** Gives back how to leave. Whoever wants committed events alone does not make others send the rest. */
  subscribe(session: string, listener: BusListener, wants?: 'all' | 'committed'): () => void
  /** What seats are writing, as far as it was told in this process: with it, a newcomer misses nothing. */
  drafts(session: string): readonly (Delta | Retrying)[]
  close(): Promise<void>
}

export interface LocalBus extends Bus {
  /** Whether anybody here reads what is not stored. */
  watched(session: string): boolean
  /** The sessions that are watched or subscribed to in this process. */
  sessions(): readonly string[]
}

/** Within one process: what an embedded database needs, for nobody else can open it. */
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
      const place = Symbol(session)
      audiences.set(session, audience.set(place, { listener, all: wants === 'all' }))
      return () => {
        audience.delete(place)
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
