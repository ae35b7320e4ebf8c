/** Joins the pieces of answers before they are sent: a session sends about thirty frames a second. */
import type { Delta } from '../core/log/live-event.ts'
import type { Bus } from './bus.ts'

const frame = 33

const joined = (pending: Map<string, Delta>, { text, ...piece }: Delta): void => {
  const key = `${piece.round} ${piece.turn} ${piece.seat} ${piece.field}`
  pending.set(key, { ...piece, text: (pending.get(key)?.text ?? '') + text })
}

export const coalescing = (bus: Bus): Bus => {
  const waiting = new Map<string, Map<string, Delta>>()
  let timer: NodeJS.Timeout | undefined
  const flush = (session: string): void => {
    const pending = waiting.get(session)
    waiting.delete(session)
    for (const delta of pending?.values() ?? []) bus.publish(session, delta)
  }
  const tick = (): void => {
    timer = undefined
    for (const session of [...waiting.keys()]) flush(session)
  }
  return {
    ...bus,
    publish(session, event) {
      if (event.type !== 'delta') {
        // The pieces of an answer must arrive before the answer.
        flush(session)
        bus.publish(session, event)
      } else {
        const pending = waiting.get(session) ?? new Map<string, Delta>()
        waiting.set(session, pending)
        joined(pending, event)
        timer ??= setTimeout(tick, frame)
      }
    },
    async close() {
      clearTimeout(timer)
      waiting.clear()
      await bus.close()
    },
  }
}
