/** Work that is done one after another, because many at once would take all the memory. Those who wait take turns. */

export interface TurnLimits {
  /** How many may wait in all. */
  readonly waiting: number
  readonly ofOne: number
  /** For whoever can't wait any more. */
  readonly refusal: () => Error
}

interface Turn {
  /** Never rejects. */
  take(): Promise<void>
  refuse(error: Error): void
}

export type Turns = <T>(from: string, work: () => Promise<T>) => Promise<T>

/** One from each place, then the next of each: somebody who fills the queue waits behind everybody else. */
export const inTurns = ({ waiting, ofOne, refusal }: TurnLimits): Turns => {
  const places = new Map<string, readonly Turn[]>()
  let busy = false
  const leave = (from: string, rest: readonly Turn[]): void => {
    places.delete(from)
    if (rest.length > 0) places.set(from, rest)
  }
  /** Whoever had the last turn waits, also for somebody who came after them. */
  let last: string | undefined
  const next = (): Turn | undefined => {
    const all = [...places]
    const [from, turns] = all.find(([name]) => name !== last) ?? all[0] ?? []
    if (from === undefined || !turns) return undefined
    last = from
    const [turn, ...rest] = turns
    leave(from, rest)
    return turn
  }
  const serve = async (): Promise<void> => {
    busy = true
    for (let turn = next(); turn; turn = next()) await turn.take()
    busy = false
  }
  /** If the queue is full, the last of the place that has the most gives way. */
  const makeRoom = (own: number): void => {
    const all = [...places].sort(([, one], [, other]) => other.length - one.length)
    if (all.reduce((sum, [, turns]) => sum + turns.length, 0) < waiting) return
    const [from, turns] = all[0]!
    if (turns.length <= own + 1) throw refusal()
    turns.at(-1)!.refuse(refusal())
    places.set(from, turns.slice(0, -1))
  }
  return async <T>(from: string, work: () => Promise<T>): Promise<T> => {
    const before = places.get(from) ?? []
    if (before.length >= ofOne) throw refusal()
    makeRoom(before.length)
    const done = new Promise<T>((resolve, refuse) => {
      // Also if it throws at once.
      const take = (): Promise<void> => Promise.resolve().then(work).then(resolve, refuse)
      places.set(from, [...before, { take, refuse }])
    })
    if (!busy) void serve()
    return done
  }
}
