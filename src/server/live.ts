/**
 * Event fan-out: what happens in a session goes to everybody who watches it. An event is serialised once, and the
 * same bytes are written to every watcher. Who is too slow, or has missed one, catches up from the store, and is
 * told what is being written now before it hears of it piece by piece.
 */
import type { ServerResponse } from 'node:http'
import type { LiveEvent, SessionEvent } from '../core/log/event.ts'
import type { Engine } from '../worker/engine.ts'
import type { ServerLog } from './log.ts'

export interface Live {
  /** Sends everything after a position, and goes on until one side leaves. */
  watch(session: string, outgoing: ServerResponse, after: number, access?: Access): void
  /** Ends the streams of a session, or those of one share link. */
  end(session: string, share?: string): void
  /** How many watch, and how many of them read from the store because they are too slow or have missed one. */
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
  /** The last one that was written. */
  position: number
  /** Reads from the store, and takes nothing from the bus meanwhile. */
  behind: boolean
}

interface Frame {
  readonly position: number
  readonly bytes: Buffer
}

/** Beyond this a watcher would fill the memory of the server instead of its own. */
const mostBuffered = 1_000_000
const usualHeartbeatMs = 15_000
const heartbeat = Buffer.from(': still here\n\n')

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

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
  /** The last position that was heard of. */
  let latest = -1
  const underWay = new Map<number, Promise<Frame[]>>()

  /** Many who come at once are served by one read. */
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
      // A shared read may be older than what was heard of; a new one that is empty means that the log is gone.
      const rest = (await archive.read(session, watcher.position)).map(frameOf)
      if (rest.length === 0) return void watcher.outgoing.end()
      await sendAll(watcher, rest)
    }
    // In one go, so that no piece comes in between: it would be missing, or be there twice.
    if (!isGone(watcher)) for (const piece of bus.drafts(session)) watcher.outgoing.write(bytesOf(piece))
    watcher.behind = false
  }

  /** A watcher that is cut off comes back with its position. */
  const follow = (watcher: Watcher): void =>
    void catchUp(watcher).catch((error: unknown) => {
      log.warn({ session, error: String(error) }, 'a watcher could not catch up')
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
    /** What was told on the bus while its connection was down. */
    async lookAgain(): Promise<void> {
      for (const event of await archive.read(session, latest)) if (event.position > latest) hear(event)
    },
  }
}

export const createLive = (
  engine: Pick<Engine, 'archive' | 'bus'>,
  log: ServerLog,
  heartbeatMs = usualHeartbeatMs,
): Live => {
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
    await channel.lookAgain()
  }

  const beat = async (): Promise<void> => {
    const beats = await Promise.allSettled([...channels.values()].map(beatOn))
    for (const one of beats)
      if (one.status === 'rejected') log.warn({ error: String(one.reason) }, 'a heartbeat failed')
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
