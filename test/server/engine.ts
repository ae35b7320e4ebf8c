/** An engine for tests, in memory: sessions run in this process, or not at all. */
import { type LiveEvent, type SessionEvent, stamped } from '../../src/core/event.ts'
import { localBus } from '../../src/run/bus.ts'
import type { Engine } from '../../src/run/jobs.ts'
import type { Runtime } from '../../src/run/runtime.ts'
import type { Archive } from '../../src/store/archive.ts'

export interface TestEngine extends Engine {
  /** Appends an event to a session as a runner would, and publishes it. */
  write(session: string, event: SessionEvent): Promise<void>
  tell(session: string, event: LiveEvent): void
  /** Resolves when nothing is running any more. */
  idle(): Promise<void>
}

export const testEngine = (archive: Archive, runtime: Pick<Runtime, 'carryOn'> | null): TestEngine => {
  const bus = localBus()
  const runs = new Map<string, Promise<unknown>>()
  const wakes = new Map<string, () => void>()
  const run = async (id: string): Promise<void> => {
    await runtime?.carryOn(await archive.read(id), {
      publish: event => bus.publish(id, event),
      interjected: wake => {
        wakes.set(id, wake)
        return () => wakes.delete(id)
      },
    })
  }
  const start = (id: string): void => {
    if (!runtime || runs.has(id)) return
    const running = run(id)
      .catch(() => {})
      .finally(() => runs.delete(id))
    runs.set(id, running)
  }
  const write = async (session: string, event: SessionEvent): Promise<void> => {
    await archive.append(session, [event])
    bus.publish(session, event)
  }
  return {
    archive,
    bus,
    queue: {
      async open(first, rest = [], ownership) {
        await archive.append(first.id, [first, ...rest], ownership)
        start(first.id)
      },
      async interject(session, position, happening) {
        const event = stamped(happening, position, Date.now)
        await write(session, event)
        wakes.get(session)?.()
        start(session)
        return event
      },
    },
    running: () => [...runs.keys()],
    close: () => bus.close(),
    write,
    tell: (session, event) => bus.publish(session, event),
    async idle() {
      while (runs.size > 0) await Promise.all(runs.values())
    },
  }
}
