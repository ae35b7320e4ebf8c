/**
 * A session as it happens. The log comes over one stream, which resumes at its last position if it breaks. Events that
 * arrive between two frames are applied together: otherwise fifty seats would redraw the page thousands of times a second.
 */

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Delta, LiveEvent, Retrying, SessionEvent } from '../../core/event.ts'
import { apply } from '../../core/fold.ts'
import { type Draft, endedBy, roundAt, type Session, written } from '../../core/session.ts'
import { checkSignIn, serverFound, serverLost } from './api.ts'

// liveLog: The page's copy of a session: its log without gaps or duplicates, and what seats are writing now.

export interface LiveLog {
  readonly events: readonly SessionEvent[]
  /** The fold of `events`. */
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
}

export const emptyLog: LiveLog = { events: [], session: undefined, drafts: new Map() }

export interface Taken {
  readonly log: LiveLog
  /** Seats whose draft has changed. */
  readonly seats: ReadonlySet<string>
  /** An event is missing before one that arrived: the log must be requested again from there. */
  readonly gap: boolean
}

/** A delta that arrives after its answer or turn would leave a draft that never ends. */
const isLate = (session: Session | undefined, { round, turn, seat }: Delta | Retrying): boolean => {
  const current = session && roundAt(session, round)
  if (turn === undefined) return current?.handedIn[seat] !== undefined
  return current?.statements?.some(statement => statement.turn === turn) ?? false
}

/** The log with the events that arrived since. */
export const take = (before: LiveLog, arrived: readonly LiveEvent[]): Taken => {
  const added: SessionEvent[] = []
  const drafts = new Map(before.drafts)
  const seats = new Set<string>()
  let session = before.session
  for (const event of arrived) {
    if (event.type === 'delta' || event.type === 'retrying') {
      if (isLate(session, event)) continue
      drafts.set(event.seat, written(drafts.get(event.seat), event))
      seats.add(event.seat)
      continue
    }
    const next = before.events.length + added.length
    if (event.position < next) continue
    if (event.position > next) return { log: logOf(before, added, session, drafts), seats, gap: true }
    session = apply(session, event)
    added.push(event)
    const ended = endedBy(event)
    if (ended !== undefined && drafts.delete(ended)) seats.add(ended)
  }
  return { log: logOf(before, added, session, drafts), seats, gap: false }
}

const logOf = (
  before: LiveLog,
  added: readonly SessionEvent[],
  session: Session | undefined,
  drafts: ReadonlyMap<string, Draft>,
): LiveLog => ({ events: added.length > 0 ? [...before.events, ...added] : before.events, session, drafts })

/** For a new stream, which begins with all drafts: those of the old one would appear twice. */
export const withoutDrafts = (log: LiveLog): LiveLog => ({ ...log, drafts: new Map() })

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
