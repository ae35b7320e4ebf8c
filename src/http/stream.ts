/**
 * The log of a session in the form in which it is sent. There is one copy for everybody who catches up: with a copy for
 * each, a few watchers that read nothing would fill the memory.
 */

import type { ServerResponse } from 'node:http'
import type { LiveEvent, SessionEvent } from '../core/event.ts'
import type { Engine } from '../run/jobs.ts'
import { causeOf, Refusal, type ServerLog } from './log.ts'

export interface Frame {
  readonly position: number
  readonly bytes: Buffer
}

export const bytesOf = (event: LiveEvent): Buffer => {
  const id = 'position' in event ? `id: ${event.position}\n` : ''
  return Buffer.from(`${id}data: ${JSON.stringify(event)}\n\n`)
}

const frameOf = (event: SessionEvent): Frame => ({ position: event.position, bytes: bytesOf(event) })

export interface LogFrames {
  /** The frame at a position, if it is in memory. */
  at(position: number): Frame | undefined
  /** Reads what comes after a position, unless it is in memory. Watchers at the same position share one read. */
  load(position: number): Promise<void>
  /** Reads what comes after a position, even if another read is under way. */
  reload(position: number): Promise<void>
  /** Nobody is catching up any more. */
  forget(): void
}

export const logFrames = (read: (after: number) => Promise<SessionEvent[]>): LogFrames => {
  /** Without gaps, like the log. */
  let frames: readonly Frame[] = []
  const underWay = new Map<number, Promise<void>>()
  let turn: Promise<void> = Promise.resolve()
  const at = (position: number): Frame | undefined => frames[position - (frames[0]?.position ?? 0)]

  const reload = async (position: number): Promise<void> => {
    const fresh = (await read(position)).map(frameOf)
    const first = fresh[0]?.position
    if (first === undefined) return
    const kept = frames[0] !== undefined && first > frames[0].position ? at(first - 1) : undefined
    frames = kept ? [...frames.slice(0, first - frames[0]!.position), ...fresh] : fresh
  }

  return {
    at,
    reload,
    load(position) {
      const known = underWay.get(position)
      if (known) return known
      // One after the other: many positions at once would be many copies of the log at once.
      const loading = turn
        .then(() => (at(position + 1) ? undefined : reload(position)))
        .finally(() => underWay.delete(position))
      underWay.set(position, loading)
      turn = loading.catch(() => {})
      return loading
    },
    forget() {
      frames = []
    },
  }
}

// watcher: Somebody who follows a session over one connection.

/** A share link may be revoked, and a sign-in may end, while somebody watches by it. */
export interface Access {
  /** Names the link, the sign-in or the key. */
  readonly share: string
  holds(): Promise<boolean>
}

export interface Watcher {
  readonly outgoing: ServerResponse
  readonly address: string
  readonly access: Access | undefined
  /** Of the last event that was written. */
  position: number
  /** It is catching up from the store, and gets nothing from the bus meanwhile. */
  behind: boolean
  /** The bytes that waited at the last heartbeats, and at how many of them it had read nothing. */
  waited: number
  idleBeats: number
}

/** Bytes that may wait for a slow watcher: more would fill the memory of the server. */
const mostBuffered = 256_000
/** With the usual heartbeat this is a minute: a large event on a slow line may take that long. */
const mostIdleBeats = 4

export const isFull = ({ outgoing }: Watcher): boolean => outgoing.writableLength > mostBuffered

/** A reply that waits for an earlier one on the same connection isn't told when that connection breaks. */
export const isGone = ({ outgoing }: Pick<Watcher, 'outgoing'>): boolean =>
  outgoing.destroyed || outgoing.writableEnded || outgoing.req.socket.destroyed

export const drained = ({ outgoing }: Watcher): Promise<void> =>
  new Promise(resolve => {
    if (!outgoing.writableNeedDrain || outgoing.destroyed) return resolve()
    const done = (): void => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
  })

/** At a heartbeat: whether its buffer is full, and it has read nothing for so long that it is cut off. */
export const isStalled = (watcher: Watcher): boolean => {
  const waiting = watcher.outgoing.writableLength
  watcher.idleBeats = isFull(watcher) && waiting >= watcher.waited ? watcher.idleBeats + 1 : 0
  watcher.waited = waiting
  return watcher.idleBeats > mostIdleBeats
}

// channel: The watchers of one session.

export interface SessionChannel {
  readonly watchers: ReadonlySet<Watcher>
  add(watcher: Watcher): void
  remove(watcher: Watcher): void
  /** Finds events that the bus lost, for example while its connection was down. */
  findMissed(): Promise<void>
  leave(): void
}

export const channelOf = (
  session: string,
  { archive, bus }: Pick<Engine, 'archive' | 'bus'>,
  log: ServerLog,
): SessionChannel => {
  const watchers = new Set<Watcher>()
  /** The newest position that is known here. */
  let latest = -1
  const frames = logFrames(async after => {
    const events = await archive.read(session, after)
    latest = Math.max(latest, events.at(-1)?.position ?? -1)
    return events
  })
  /** What seats have written so far, for all who arrive before the next piece. */
  let drafts: readonly Buffer[] | undefined

  /** Sends what is in memory, as far as there is room; returns whether there was anything. */
  const send = (watcher: Watcher): boolean => {
    const before = watcher.position
    while (!isFull(watcher) && !isGone(watcher)) {
      const frame = frames.at(watcher.position + 1)
      if (!frame) break
      watcher.outgoing.write(frame.bytes)
      watcher.position = frame.position
    }
    return watcher.position > before
  }

  /** Sends the log up to its end. False if the session was deleted meanwhile, or the watcher left. */
  const sendLog = async (watcher: Watcher): Promise<boolean> => {
    for (;;) {
      await drained(watcher)
      if (isGone(watcher)) return false
      if (send(watcher)) continue
      await frames.load(watcher.position)
      if (send(watcher)) continue
      if (latest <= watcher.position) return !isGone(watcher)
      // A shared read may be older than the newest event. If a fresh read is empty too, the session was deleted.
      await frames.reload(watcher.position)
      if (!send(watcher) && !isFull(watcher)) return false
    }
  }

  const catchUp = async (watcher: Watcher): Promise<void> => {
    watcher.behind = true
    if (!(await sendLog(watcher))) return void watcher.outgoing.end()
    // Without a pause in between: a piece that arrived then would be missing, or be there twice.
    drafts ??= bus.drafts(session).map(bytesOf)
    for (const bytes of drafts) watcher.outgoing.write(bytes)
    watcher.behind = false
    tidy()
  }

  const tidy = (): void => {
    for (const { behind } of watchers) if (behind) return
    frames.forget()
  }

  /** A watcher whose connection is destroyed reconnects with its position. */
  const follow = (watcher: Watcher): void =>
    void catchUp(watcher).catch((error: unknown) => {
      log.warn({ session, error: causeOf(error) }, 'A watcher could not catch up.')
      watcher.outgoing.destroy()
    })

  const hear = (event: LiveEvent): void => {
    drafts = undefined
    const position = 'position' in event ? event.position : undefined
    if (position !== undefined) latest = Math.max(latest, position)
    let bytes: Buffer | undefined
    for (const watcher of watchers) {
      if (watcher.behind || (position !== undefined && position <= watcher.position)) continue
      if (isFull(watcher) || (position !== undefined && position !== watcher.position + 1)) {
        follow(watcher)
        continue
      }
      bytes ??= bytesOf(event)
      watcher.outgoing.write(bytes)
      if (position !== undefined) watcher.position = position
    }
  }

  return {
    watchers,
    leave: bus.subscribe(session, hear),
    add(watcher) {
      watchers.add(watcher)
      follow(watcher)
    },
    remove(watcher) {
      watchers.delete(watcher)
      tidy()
    },
    async findMissed() {
      for (const event of await archive.read(session, latest)) if (event.position > latest) hear(event)
    },
  }
}

// eventStream: Sends the events of a session to everybody who watches it. An event is serialised once, and the same bytes are written
// to every watcher. A watcher that is too slow or has missed an event catches up from the store, and then gets what the
// seats are writing now before the next piece of it. One that reads nothing at all is cut off, and can resume at its
// position.

export interface StreamRequest {
  readonly session: string
  /** Who watches, for the limit of streams. */
  readonly address: string
  /** Everything after this position is sent. */
  readonly after: number
  readonly access?: Access | undefined
}

export interface StreamLimits {
  readonly streamsPerSession: number
  readonly streamsPerAddress: number
}

export interface EventStreams {
  /** Whether there is such a session. Watchers that arrive together share one read of the log. */
  exists(session: string): Promise<boolean>
  /** Refuses a watcher for whom there is no room. */
  checkRoom(request: Pick<StreamRequest, 'session' | 'address'>): void
  /** Sends everything after a position, and then every new event until one side closes the connection. */
  watch(request: StreamRequest, outgoing: ServerResponse): void
  /** Ends the streams of a session, or those of one share link. */
  end(session: string, share?: string): void
  /** Ends every stream of one share link, sign-in or key, whichever session it shows. */
  endFor(share: string): void
  /** How many watch, and how many of them are catching up from the store. */
  watchers(): { readonly all: number; readonly behind: number }
  close(): void
}

const usualHeartbeatMs = 15_000
const heartbeat = Buffer.from(': still here\n\n')

const noRoom = (words: string): Refusal => new Refusal(429, words, { headers: { 'retry-after': '15' } })

/** Many may watch through one link: whether it still holds is looked up once for all of them. */
const revokedAmong = async (watchers: readonly Watcher[]): Promise<ReadonlySet<string>> => {
  const links = new Map(watchers.flatMap(({ access }) => (access ? [[access.share, access] as const] : [])))
  const revoked = new Set<string>()
  for (const [share, access] of links) if (!(await access.holds())) revoked.add(share)
  return revoked
}

export const createEventStreams = (
  engine: Pick<Engine, 'archive' | 'bus'>,
  log: ServerLog,
  limits: StreamLimits,
  heartbeatMs = usualHeartbeatMs,
): EventStreams => {
  const channels = new Map<string, SessionChannel>()
  const byAddress = new Map<string, number>()
  let closed = false

  const count = (address: string, more: 1 | -1): void => {
    const streams = (byAddress.get(address) ?? 0) + more
    if (streams > 0) byAddress.set(address, streams)
    else byAddress.delete(address)
  }

  const channelTo = (session: string): SessionChannel => {
    const channel = channels.get(session) ?? channelOf(session, engine, log)
    channels.set(session, channel)
    return channel
  }

  const remove = (session: string, channel: SessionChannel, watcher: Watcher): void => {
    if (!channel.watchers.has(watcher)) return
    count(watcher.address, -1)
    channel.remove(watcher)
    if (channel.watchers.size > 0 || channels.get(session) !== channel) return
    channel.leave()
    channels.delete(session)
  }

  const beatOn = async (session: string, channel: SessionChannel): Promise<void> => {
    const watchers = [...channel.watchers]
    const revoked = await revokedAmong(watchers)
    for (const watcher of watchers) {
      const { outgoing, access } = watcher
      if (isGone(watcher)) {
        // One that reads nothing doesn't read the end of its stream either.
        outgoing.destroy()
        remove(session, channel, watcher)
      } else if (access && revoked.has(access.share)) outgoing.end()
      else if (isStalled(watcher)) outgoing.destroy()
      else if (!isFull(watcher)) outgoing.write(heartbeat)
    }
    await channel.findMissed()
  }

  const beat = async (): Promise<void> => {
    const beats = await Promise.allSettled(
      [...channels].map(([session, channel]) => beatOn(session, channel)),
    )
    for (const one of beats)
      if (one.status === 'rejected') log.warn({ error: causeOf(one.reason) }, 'A heartbeat failed.')
  }
  const timer = setInterval(beat, heartbeatMs).unref()

  const end = (session: string, share?: string): void => {
    for (const { outgoing, access } of channels.get(session)?.watchers ?? [])
      if (share === undefined || access?.share === share) outgoing.end()
  }

  const lookups = new Map<string, Promise<boolean>>()
  const lookUp = (session: string): Promise<boolean> =>
    engine.archive
      .read(session)
      .then(log => log.length > 0)
      .finally(() => lookups.delete(session))

  return {
    exists(session) {
      const looking = lookups.get(session) ?? lookUp(session)
      lookups.set(session, looking)
      return looking
    },
    checkRoom({ session, address }) {
      const { streamsPerSession, streamsPerAddress } = limits
      if ((channels.get(session)?.watchers.size ?? 0) >= streamsPerSession)
        throw noRoom(`${streamsPerSession} are watching this session already. Try again later.`)
      if ((byAddress.get(address) ?? 0) >= streamsPerAddress)
        throw noRoom(`Your address has ${streamsPerAddress} streams open already. Close one of them first.`)
    },
    watch({ session, address, after, access }, outgoing) {
      // The log was being read when the server began to stop. Nobody would end this stream any more.
      if (closed) return void outgoing.end()
      const channel = channelTo(session)
      const watcher: Watcher = {
        ...{ outgoing, address, access, position: after },
        ...{ behind: true, waited: 0, idleBeats: 0 },
      }
      outgoing.once('close', () => remove(session, channel, watcher))
      count(address, 1)
      channel.add(watcher)
    },
    end,
    endFor(share) {
      for (const session of channels.keys()) end(session, share)
    },
    watchers() {
      const all = [...channels.values()].flatMap(({ watchers }) => [...watchers])
      return { all: all.length, behind: all.filter(({ behind }) => behind).length }
    },
    close() {
      closed = true
      clearInterval(timer)
      for (const session of channels.keys()) end(session)
    },
  }
}

// follow: Follows a session from its first event until it is over, for a reply that has to wait for it.

/** Milliseconds after which the store is read even if the bus says nothing: what the bus says may get lost. */
const lookEvery = 5_000

const reopening: readonly SessionEvent['type'][] = [
  'seat-retried',
  'seat-replaced',
  'round-added',
  'session-resumed',
]

/** Ends early, without an error, if the signal is aborted or the session is deleted. */
export async function* follow(
  { archive, bus }: Pick<Engine, 'archive' | 'bus'>,
  session: string,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  let next = 0
  let over = false
  const heard: SessionEvent[] = []
  let wake = (): void => {}
  const leave = bus.subscribe(
    session,
    event => {
      if ('position' in event) heard.push(event)
      wake()
    },
    'committed',
  )
  /** What the bus has said, if nothing is missing before it. */
  const fromBus = (): SessionEvent[] => {
    const fresh = heard.splice(0).filter(({ position }) => position >= next)
    return fresh.every(({ position }, index) => position === next + index) ? fresh : []
  }
  const rest = (): Promise<void> =>
    new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, lookEvery)
      signal.addEventListener('abort', end, { once: true })
      wake = end
      if (signal.aborted || heard.length > 0) end()
    })
  try {
    while (!signal.aborted) {
      const told = fromBus()
      const events = told.length > 0 ? told : await archive.read(session, next - 1)
      if (events.length === 0 && next === 0) return
      for (const event of events) {
        next = event.position + 1
        if (event.type === 'session-finished') over = true
        else if (reopening.includes(event.type)) over = false
        yield event
      }
      if (over) return
      await rest()
    }
  } finally {
    leave()
  }
}
