/** Keeps each provider's limits, and lets sessions take turns so that a large one doesn't hold up the others. */
import type { Limits, Provider } from '../providers/provider.ts'
import { localSlots, type Slots } from './slots.ts'

/** One session's calls on their way to the providers. */
export interface CallQueue {
  /** Runs the call when the provider has room for it. Rejects if the signal aborts while it waits. */
  run<T>(provider: Provider, signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

/** Opens the queue of a new session. Sessions that wait for the same provider take turns. */
export type OpenQueue = () => CallQueue

/** Room for one call. */
interface CallSlot {
  /** Starts to use it, and returns what to do when the call is over. */
  use(): () => void
  giveBack(): void
}

const minute = 60_000
/** With more calls a minute, several share a slot in turn: a database can't hold thousands of locks. */
const mostSlots = 300

const nothing = (): void => {}

/** A slot of a limit per minute stays taken from the start of its call until its share of a minute is over. */
const freeSlot = async (id: string, limits: Limits, slots: Slots): Promise<CallSlot> => {
  const { concurrency, requestsPerMinute: often } = limits
  const most = Math.min(often ?? 0, mostSlots)
  const inMinute = often ? await slots.take(`${id} by the minute`, most) : nothing
  const atOnce = concurrency ? await slots.take(`${id} at once`, concurrency) : nothing
  return {
    use() {
      if (often) setTimeout(inMinute, (minute * most) / often).unref()
      return atOnce
    },
    giveBack() {
      inMinute()
      atOnce()
    },
  }
}

type Waiting = (slot: CallSlot) => void

/** The queue in front of one provider: one call of each session in turn. */
const providerQueue = (free: () => Promise<CallSlot>) => {
  const bySession = new Map<object, Waiting[]>()
  let serving = false
  const next = (): Waiting | undefined => {
    const [first] = bySession
    if (!first) return undefined
    const [session, [waiting, ...rest]] = first
    bySession.delete(session)
    if (rest.length > 0) bySession.set(session, rest)
    return waiting
  }
  const serve = async (): Promise<void> => {
    serving = true
    while (bySession.size > 0) {
      const slot = await free()
      const waiting = next()
      if (waiting) waiting(slot)
      else slot.giveBack()
    }
    serving = false
  }
  const leave = (session: object, waiting: Waiting): void => {
    const rest = bySession.get(session)?.filter(other => other !== waiting) ?? []
    if (rest.length > 0) bySession.set(session, rest)
    else bySession.delete(session)
  }
  return (session: object, signal: AbortSignal): Promise<CallSlot> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = (): void => {
        leave(session, waiting)
        reject(signal.reason)
      }
      const waiting = (slot: CallSlot): void => {
        signal.removeEventListener('abort', stop)
        resolve(slot)
      }
      signal.addEventListener('abort', stop)
      bySession.set(session, [...(bySession.get(session) ?? []), waiting])
      if (!serving) void serve()
    })
}

/** Queues are kept by the name and the limits of a provider: one that is connected anew stays in its queue. */
export const callQueues = (slots: Slots = localSlots()): OpenQueue => {
  const queues = new Map<string, ReturnType<typeof providerQueue>>()
  const queueOf = ({ id, limits }: Provider) => {
    if (!limits?.concurrency && !limits?.requestsPerMinute) return undefined
    const name = JSON.stringify([id, limits.concurrency, limits.requestsPerMinute])
    const queue = queues.get(name) ?? providerQueue(() => freeSlot(id, limits, slots))
    queues.set(name, queue)
    return queue
  }
  return () => {
    const session = {}
    return {
      async run(provider, signal, call) {
        const slotFor = queueOf(provider)
        if (!slotFor) return call()
        const over = (await slotFor(session, signal)).use()
        return call().finally(over)
      },
    }
  }
}
