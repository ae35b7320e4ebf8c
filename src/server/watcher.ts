/** Somebody who follows a session over one connection. */
import type { ServerResponse } from 'node:http'

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
