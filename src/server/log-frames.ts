/**
 * The log of a session in the form in which it is sent. There is one copy for everybody who catches up: with a copy for
 * each, a few watchers that read nothing would fill the memory.
 */
import type { SessionEvent } from '../core/log/event.ts'
import type { LiveEvent } from '../core/log/live-event.ts'

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
