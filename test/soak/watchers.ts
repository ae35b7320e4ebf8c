/** Watchers: one that stays to the end, others that come in the middle, leave early, or don't read. */

import { createHash } from 'node:crypto'
import { connectTo, watch } from '../../src/client/client.ts'
import type { SessionEvent } from '../../src/core/event.ts'
import { openStream } from '../server/stream.ts'
import { between, type Random } from './pick.ts'
import { pause, type Stage } from './stage.ts'

/** By position: a digest of the committed event. */
export type Seen = Map<number, string>

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Equal for equal events, whatever the order of their fields. */
export const digestOf = (event: SessionEvent): string =>
  createHash('sha256').update(JSON.stringify(event, inOrder)).digest('base64url')

const saw = (stage: Stage, id: string, seen: Seen, event: SessionEvent): void => {
  const digest = digestOf(event)
  const before = seen.get(event.position)
  if (before !== undefined && before !== digest)
    stage.note(`session ${id} showed two different events at position ${event.position}`)
  seen.set(event.position, digest)
}

/** Comes back after every failure, until the session ends or nobody waits any more. */
export const watchToTheEnd = async (stage: Stage, id: string, seen: Seen): Promise<void> => {
  while (!stage.gone.aborted) {
    const since = Date.now()
    try {
      for await (const event of watch(connectTo({ address: stage.address }), id, { patience: 60_000 }))
        if ('position' in event) saw(stage, id, seen, event)
      return
    } catch (error) {
      if (!stage.isExcused(since)) stage.note(`watching ${id}: ${error}`)
      await pause(500, stage.gone)
    }
  }
}

/** Comes at any position, reads for a while or not at all, and leaves. */
export const visit = async (stage: Stage, id: string, seen: Seen, random: Random): Promise<void> => {
  const after = between(random, -1, 10)
  const url = `${stage.address}/api/sessions/${id}/events?after=${after}`
  const control = new AbortController()
  const stay = random() * 2_000
  try {
    if (random() < 0.3) {
      await fetch(url, { signal: control.signal })
      await pause(stay, stage.signal)
      return
    }
    const stream = await openStream(url)
    if (stream.status !== 200) return stream.cut()
    await Promise.race([stream.ended, pause(stay, stage.signal)])
    stream.cut()
    for (const { id: position, data } of stream.messages)
      if (position !== undefined) saw(stage, id, seen, JSON.parse(data) as SessionEvent)
  } catch {
    // The server was killed; the watcher that stays reports a server that doesn't come back.
  } finally {
    control.abort()
  }
}
