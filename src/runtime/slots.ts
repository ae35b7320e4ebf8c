/** Places of which there are only so many: who wants one waits until it is free. */

/** Counted in this process, or among all processes that share a database. */
export interface Slots {
  /** Waits for one of so many places under a name, and gives back how to leave it. */
  take(name: string, of: number): Promise<() => void>
}

interface Room {
  taken: number
  readonly waiting: (() => void)[]
}

export const localSlots = (): Slots => {
  const rooms = new Map<string, Room>()
  const leave = (room: Room): void => {
    const next = room.waiting.shift()
    if (next) next()
    else room.taken--
  }
  return {
    async take(name, of) {
      const room = rooms.get(name) ?? { taken: 0, waiting: [] }
      rooms.set(name, room)
      if (room.taken < of) room.taken++
      else await new Promise<void>(resolve => room.waiting.push(resolve))
      return () => leave(room)
    },
  }
}
