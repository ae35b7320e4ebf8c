/** Runs a session in this process whose asker holds a seat: each run ends where it waits for them, and the next goes on. */
import type { SessionEvent } from '../../core/log/event.ts'
import type { LiveEvent } from '../../core/log/live-event.ts'
import { stamped } from '../../core/log/stamp.ts'
import { fold } from '../../core/log/state.ts'
import { documentOf } from '../../exports/document.ts'
import type { Protocol } from '../../protocols/protocol.ts'
import { channel } from '../../runtime/channel.ts'
import { answerFromOutside, outsideDeadlineOf } from '../../runtime/outside.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { PositionTaken, type Store } from '../../store/store.ts'
import type { OwnSeat } from './own-seat.ts'
import type { Show } from './run-session.ts'

/** The log may grow between reading and writing. */
const mostTries = 8

/** Until somebody answers, the time is over, or the person wants to stop. */
const untilHeard = (heard: Promise<void>, until: number | undefined, signals: readonly AbortSignal[]) =>
  new Promise<void>(resolve => {
    const timer = until === undefined ? undefined : setTimeout(resolve, Math.max(0, until - Date.now()))
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
    void heard.then(resolve).finally(() => clearTimeout(timer))
  })

export interface OwnRun {
  readonly start: Show['start']
  readonly own: OwnSeat
}

export const runWithOwnSeat = (
  runtime: Pick<Runtime, 'carryOn'>,
  store: Pick<Store, 'read' | 'append'>,
  begun: readonly SessionEvent[],
  clock: () => number,
  protocols?: readonly Protocol[],
): OwnRun => {
  const { id } = fold(begun)
  const letGo = new AbortController()
  let wake = (): void => {}
  let heard = Promise.withResolvers<void>()

  const run = async (signal: AbortSignal, put: (event: LiveEvent) => void): Promise<SessionEvent[]> => {
    let log = [...begun]
    for (;;) {
      log = await runtime.carryOn(log, {
        ...{ signal, publish: put, abandoned: letGo.signal },
        interjected: hear => {
          wake = hear
          return () => {
            wake = () => {}
          }
        },
      })
      const session = fold(log)
      if (session.outcome || letGo.signal.aborted) return log
      await untilHeard(heard.promise, outsideDeadlineOf(session), [signal, letGo.signal])
      heard = Promise.withResolvers<void>()
      const newer = await store.read(id, log.length - 1)
      newer.forEach(put)
      log = [...log, ...newer]
    }
  }

  return {
    start(signal) {
      const events = channel<LiveEvent>(begun)
      const result = run(signal, events.put).then(documentOf)
      result.then(events.close, events.fail)
      return { events, result }
    },
    own: {
      ...(protocols && { protocols }),
      leave: () => letGo.abort(),
      async hand(_session, seat, round, answer) {
        for (let tries = 1; ; tries++) {
          const session = fold(await store.read(id))
          const happening = await answerFromOutside(session, seat, round, answer, clock())
          try {
            await store.append(id, [stamped(happening, session.position, clock)])
            break
          } catch (error) {
            if (!PositionTaken.isInstance(error) || tries === mostTries) throw error
          }
        }
        wake()
        heard.resolve()
      },
    },
  }
}
