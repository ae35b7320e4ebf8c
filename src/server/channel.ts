/** The watchers of one session. */
import type { LiveEvent } from '../core/log/live-event.ts'
import type { Engine } from '../worker/engine.ts'
import { causeOf } from './failure.ts'
import type { ServerLog } from './log.ts'
import { bytesOf, logFrames } from './log-frames.ts'
import { drained, isFull, isGone, type Watcher } from './watcher.ts'

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
