/**
 * A session as it happens. The log comes over one stream, which resumes at its last position if it breaks. Events that
 * arrive between two frames are applied together: otherwise fifty seats would redraw the page thousands of times a second.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Draft } from '../core/log/draft.ts'
import type { SessionEvent } from '../core/log/event.ts'
import type { LiveEvent } from '../core/log/live-event.ts'
import { checkSignIn } from './account.ts'
import { emptyLog, type LiveLog, take, withoutDrafts } from './live-log.ts'
import { serverFound, serverLost } from './reachable.ts'

export type LiveStatus = 'connecting' | 'live' | 'lost' | 'over'

export interface LiveState extends Pick<LiveLog, 'events' | 'session'> {
  readonly connection: LiveStatus
}

export interface LiveSession {
  state(): LiveState
  subscribe(listener: () => void): () => void
  draftOf(seat: string): Draft | undefined
  /** Called only if this seat's draft changes. */
  subscribeTo(seat: string, listener: () => void): () => void
  /** Connects again, after a person did something to a session that was over. */
  watch(): void
  close(): void
}

/** Drafts are drawn ten times a second: that looks smooth, and costs far less than every frame. */
const pauseBetweenDrafts = 100
const pauseBeforeRetry = 1_500

const listenersOf = () => {
  const listeners = new Set<() => void>()
  return {
    add(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(): void {
      for (const listener of listeners) listener()
    },
  }
}

/** `path` is the address of the session's stream. */
export const liveSession = (path: string, known: readonly SessionEvent[]): LiveSession => {
  let log = take(emptyLog, known).log
  let connection: LiveStatus = log.session?.outcome ? 'over' : 'connecting'
  let state: LiveState = { events: log.events, session: log.session, connection }
  let source: EventSource | undefined
  let waiting: string[] = []
  let scheduled = false
  let lastFlush = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  const watchers = listenersOf()
  const bySeat = new Map<string, ReturnType<typeof listenersOf>>()

  const publish = (now: LiveStatus): void => {
    if (now === connection && log.events === state.events) return
    connection = now
    state = { events: log.events, session: log.session, connection }
    watchers.tell()
  }

  const flush = (): void => {
    scheduled = false
    lastFlush = performance.now()
    const arrived = waiting.map(text => JSON.parse(text) as LiveEvent)
    waiting = []
    const { log: next, seats, gap } = take(log, arrived)
    log = next
    tell(seats)
    if (gap) connect()
    else if (log.session?.outcome) disconnect()
    publish(source ? 'live' : 'over')
  }

  /** A hidden page gets no animation frames, and would fall behind by a whole session. */
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    const pause = Math.max(0, pauseBetweenDrafts - (performance.now() - lastFlush))
    setTimeout(() => (document.hidden ? flush() : requestAnimationFrame(flush)), pause)
  }

  const disconnect = (): void => {
    clearTimeout(retry)
    source?.close()
    source = undefined
  }

  const tell = (seats: Iterable<string>): void => {
    for (const seat of seats) bySeat.get(seat)?.tell()
  }

  /** A new stream begins with all drafts: without this, they would appear twice. */
  const beginDrafts = (): void => {
    const seats = log.drafts.keys()
    waiting = []
    log = withoutDrafts(log)
    tell(seats)
  }

  const connect = (): void => {
    disconnect()
    const opened = new EventSource(`${path}?after=${log.events.length - 1}`)
    source = opened
    opened.onopen = () => {
      beginDrafts()
      serverFound()
      publish('live')
    }
    opened.onmessage = ({ data }) => {
      waiting.push(String(data))
      schedule()
    }
    opened.onerror = () => {
      publish('lost')
      // The reply may also be a refusal: whoever looks for the server finds out.
      serverLost()
      checkSignIn()
      // The browser gives up if the reply isn't a stream, for example while the server is starting. So reconnect here.
      opened.close()
      clearTimeout(retry)
      retry = setTimeout(connect, pauseBeforeRetry)
    }
  }

  return {
    state: () => state,
    subscribe: watchers.add,
    draftOf: seat => log.drafts.get(seat),
    subscribeTo(seat, listener) {
      const listeners = bySeat.get(seat) ?? listenersOf()
      bySeat.set(seat, listeners)
      return listeners.add(listener)
    },
    watch: connect,
    close: disconnect,
  }
}

/** The live session of a page, for as long as the page is open. */
export const useLiveSession = (path: string, known: readonly SessionEvent[]): LiveSession => {
  const [live] = useState(() => liveSession(path, known))
  useEffect(() => {
    if (!live.state().session?.outcome) live.watch()
    return live.close
  }, [live])
  return live
}

export const useLiveState = (live: LiveSession): LiveState => useSyncExternalStore(live.subscribe, live.state)

export const useDraft = (live: LiveSession, seat: string): Draft | undefined =>
  useSyncExternalStore(
    useCallback(listener => live.subscribeTo(seat, listener), [live, seat]),
    useCallback(() => live.draftOf(seat), [live, seat]),
  )
