/**
 * Sends the events of a session to everybody who watches it. An event is serialised once, and the same bytes are written
 * to every watcher. A watcher that is too slow or has missed an event catches up from the store, and then gets what the
 * seats are writing now before the next piece of it.
 */
import type { ServerResponse } from 'node:http'
import type { LiveEvent, SessionEvent } from '../core/log/event.ts'
import type { Engine } from '../worker/engine.ts'
import type { ServerLog } from './log.ts'

export interface EventStreams {
  /** Sends everything after a position, and then every new event until one side closes the connection. */
  watch(session: string, outgoing: ServerResponse, after: number, access?: Access): void
  /** Ends the streams of a session, or those of one share link. */
  end(session: string, share?: string): void
  /** How many watch, and how many of them are catching up from the store. */
  watchers(): { readonly all: number; readonly behind: number }
  close(): void
}

/** A share link may be revoked while somebody watches through it. */
export interface Access {
  readonly share: string
  holds(): Promise<boolean>
}

interface Watcher {
  readonly outgoing: ServerResponse
  readonly access: Access | undefined
  /** Of the last event that was written. */
  position: number
  /** It is catching up from the store, and gets nothing from the bus meanwhile. */
  behind: boolean
}

interface Frame {
  readonly position: number
  readonly bytes: Buffer
}

/** Bytes that may wait for a slow watcher: more would fill the memory of the server. */
const mostBuffered = 1_000_000
const usualHeartbeatMs = 15_000
const heartbeat = Buffer.from(': still here\n\n')

const bytesOf = (event: LiveEvent): Buffer => {
  const id = 'position' in event ? `id: ${event.position}\n` : ''
  return Buffer.from(`${id}data: ${JSON.stringify(event)}\n\n`)
}

const frameOf = (event: SessionEvent): Frame => ({ position: event.position, bytes: bytesOf(event) })

const isFull = ({ outgoing }: Watcher): boolean => outgoing.writableLength > mostBuffered

const isGone = ({ outgoing }: Watcher): boolean => outgoing.destroyed || outgoing.writableEnded

const drained = ({ outgoing }: Watcher): Promise<void> =>
  new Promise(resolve => {
    if (!outgoing.writableNeedDrain) return resolve()
    const done = (): void => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
  })

/** The watchers of one session. */
const channelOf = (session: string, { archive, bus }: Pick<Engine, 'archive' | 'bus'>, log: ServerLog) => {
  const watchers = new Set<Watcher>()
  /** The newest position that is known here. */
  let latest = -1
  const underWay = new Map<number, Promise<Frame[]>>()

  /** Watchers that arrive together share one read. */
  const framesAfter = (position: number): Promise<Frame[]> => {
    const known = underWay.get(position)
    if (known) return known
    const reading = archive.read(session, position).then(events => {
      latest = Math.max(latest, events.at(-1)?.position ?? -1)
      return events.map(frameOf)
    })
    underWay.set(position, reading)
    const forget = (): void => void underWay.delete(position)
    reading.then(forget, forget)
    return reading
  }

  const sendAll = async (watcher: Watcher, frames: readonly Frame[]): Promise<void> => {
    for (const { position, bytes } of frames) {
      if (isFull(watcher)) await drained(watcher)
      if (isGone(watcher)) return
      watcher.outgoing.write(bytes)
      watcher.position = position
    }
  }

  const catchUp = async (watcher: Watcher): Promise<void> => {
    watcher.behind = true
    await drained(watcher)
    while (!isGone(watcher)) {
      const frames = await framesAfter(watcher.position)
      await sendAll(watcher, frames)
      if (frames.length > 0) continue
      if (latest <= watcher.position) break
      // A shared read may be older than the newest event. If a fresh read is empty too, the session was deleted.
      const rest = (await archive.read(session, watcher.position)).map(frameOf)
      if (rest.length === 0) return void watcher.outgoing.end()
      await sendAll(watcher, rest)
    }
    // Without a pause in between: a piece that arrived then would be missing, or be there twice.
    if (!isGone(watcher)) for (const piece of bus.drafts(session)) watcher.outgoing.write(bytesOf(piece))
    watcher.behind = false
  }

  /** A watcher whose connection is destroyed reconnects with its position. */
  const follow = (watcher: Watcher): void =>
    void catchUp(watcher).catch((error: unknown) => {
      log.warn({ session, error: String(error) }, 'A watcher could not catch up.')
      watcher.outgoing.destroy()
    })

  const hear = (event: LiveEvent): void => {
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
  const leave = bus.subscribe(session, hear)

  return {
    watchers,
    leave,
    add(watcher: Watcher): void {
      watchers.add(watcher)
      follow(watcher)
    },
    /** Finds events that the bus lost, for example while its connection was down. */
    async findMissed(): Promise<void> {
      for (const event of await archive.read(session, latest)) if (event.position > latest) hear(event)
    },
  }
}

export const createEventStreams = (
  engine: Pick<Engine, 'archive' | 'bus'>,
  log: ServerLog,
  heartbeatMs = usualHeartbeatMs,
): EventStreams => {
  const channels = new Map<string, ReturnType<typeof channelOf>>()

  const channelTo = (session: string) => {
    const channel = channels.get(session) ?? channelOf(session, engine, log)
    channels.set(session, channel)
    return channel
  }

  const beatOn = async (channel: ReturnType<typeof channelOf>): Promise<void> => {
    for (const watcher of channel.watchers) {
      if (watcher.access && !(await watcher.access.holds())) watcher.outgoing.end()
      else if (!isFull(watcher) && !isGone(watcher)) watcher.outgoing.write(heartbeat)
    }
    await channel.findMissed()
  }

  const beat = async (): Promise<void> => {
    const beats = await Promise.allSettled([...channels.values()].map(beatOn))
    for (const one of beats)
      if (one.status === 'rejected') log.warn({ error: String(one.reason) }, 'A heartbeat failed.')
  }
  const timer = setInterval(beat, heartbeatMs).unref()

  const end = (session: string, share?: string): void => {
    for (const { outgoing, access } of channels.get(session)?.watchers ?? [])
      if (share === undefined || access?.share === share) outgoing.end()
  }

  return {
    watch(session, outgoing, after, access) {
      const channel = channelTo(session)
      const watcher: Watcher = { outgoing, access, position: after, behind: true }
      outgoing.once('close', () => {
        channel.watchers.delete(watcher)
        if (channel.watchers.size > 0 || channels.get(session) !== channel) return
        channel.leave()
        channels.delete(session)
      })
      channel.add(watcher)
    },
    end,
    watchers() {
      const all = [...channels.values()].flatMap(({ watchers }) => [...watchers])
      return { all: all.length, behind: all.filter(({ behind }) => behind).length }
    },
    close() {
      clearInterval(timer)
      for (const session of channels.keys()) end(session)
    },
  }
}
