/** Follows a session from its first event until it is over, for a reply that has to wait for it. */
import type { SessionEvent } from '../core/log/event.ts'
import type { Engine } from '../worker/engine.ts'

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
