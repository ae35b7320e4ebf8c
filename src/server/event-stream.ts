/**
 * Sends the events of a session to everybody who watches it. An event is serialised once, and the same bytes are written
 * to every watcher. A watcher that is too slow or has missed an event catches up from the store, and then gets what the
 * seats are writing now before the next piece of it. One that reads nothing at all is cut off, and can resume at its
 * position.
 */
import type { ServerResponse } from 'node:http'
import type { Engine } from '../worker/engine.ts'
import { channelOf, type SessionChannel } from './channel.ts'
import { causeOf } from './failure.ts'
import type { ServerLog } from './log.ts'
import { Refusal } from './problem.ts'
import { type Access, isFull, isGone, isStalled, type Watcher } from './watcher.ts'

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
