/** Holds each provider to its limits, and lets sessions take turns: a large one keeps nobody waiting. */
import type { Limits, Provider } from '../providers/provider.ts'
import { localSlots, type Slots } from './slots.ts'

export interface Gates {
  /** Runs the call when the provider has room for it; rejects if the signal aborts while it waits. */
  through<T>(provider: Provider, signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

/** A new session's own way to the providers. Where calls wait, each session gets its turn. */
export type Lane = () => Gates

/** Room for one call. */
interface CallSlot {
  /** Gives back what to do when the call is over. */
  use(): () => void
  giveBack(): void
}

const minute = 60_000
/** Of more calls a minute, as many share a place in turn: a database does not hold thousands of locks. */
const mostPlaces = 300

const nothing = (): void => {}

/** A place under a limit by the minute is held from the start of its call until its share of a minute is over. */
const placeAt = async (id: string, limits: Limits, slots: Slots): Promise<CallSlot> => {
  const { concurrency, requestsPerMinute: often } = limits
  const places = Math.min(often ?? 0, mostPlaces)
  const inMinute = often ? await slots.take(`${id} by the minute`, places) : nothing
  const atOnce = concurrency ? await slots.take(`${id} at once`, concurrency) : nothing
  return {
    use() {
      if (often) setTimeout(inMinute, (minute * places) / often).unref()
      return atOnce
    },
    giveBack() {
      inMinute()
      atOnce()
    },
  }
}

type Waiting = (place: CallSlot) => void

/** The line in front of one provider: one call of each session in turn. */
const lineFor = (free: () => Promise<CallSlot>) => {
  const lanes = new Map<object, Waiting[]>()
  let serving = false
  const next = (): Waiting | undefined => {
    const [first] = lanes
    if (!first) return undefined
    const [lane, [waiting, ...rest]] = first
    lanes.delete(lane)
    if (rest.length > 0) lanes.set(lane, rest)
    return waiting
  }
  const serve = async (): Promise<void> => {
    serving = true
    while (lanes.size > 0) {
      const place = await free()
      const waiting = next()
      if (waiting) waiting(place)
      else place.giveBack()
    }
    serving = false
  }
  const leave = (lane: object, waiting: Waiting): void => {
    const rest = lanes.get(lane)?.filter(other => other !== waiting) ?? []
    if (rest.length > 0) lanes.set(lane, rest)
    else lanes.delete(lane)
  }
  return (lane: object, signal: AbortSignal): Promise<CallSlot> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = (): void => {
        leave(lane, waiting)
        reject(signal.reason)
      }
      const waiting = (place: CallSlot): void => {
        signal.removeEventListener('abort', stop)
        resolve(place)
      }
      signal.addEventListener('abort', stop)
      lanes.set(lane, [...(lanes.get(lane) ?? []), waiting])
      if (!serving) void serve()
    })
}

export const gatesFor = (providers: readonly Provider[], slots: Slots = localSlots()): Lane => {
  const lines = new Map(
    providers.flatMap(({ id, limits }) =>
      limits?.concurrency || limits?.requestsPerMinute
        ? [[id, lineFor(() => placeAt(id, limits, slots))] as const]
        : [],
    ),
  )
  return () => {
    const lane = {}
    return {
      async through(provider, signal, call) {
        const line = lines.get(provider.id)
        if (!line) return call()
        const over = (await line(lane, signal)).use()
        return call().finally(over)
      },
    }
  }
}
