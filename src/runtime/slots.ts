/** A limited number of slots: a caller waits until one is free. */

/** Counted in this process, or across all processes that share a database. */
export interface Slots {
  /** Waits for one of so many slots under a name, and returns how to free it. */
  take(name: string, of: number): Promise<() => void>
}

interface SlotGroup {
  taken: number
  readonly waiting: (() => void)[]
}

export const localSlots = (): Slots => {
  const groups = new Map<string, SlotGroup>()
  const leave = (group: SlotGroup): void => {
    const next = group.waiting.shift()
    if (next) next()
    else group.taken--
  }
  return {
    async take(name, of) {
      const group = groups.get(name) ?? { taken: 0, waiting: [] }
      groups.set(name, group)
      if (group.taken < of) group.taken++
      else await new Promise<void>(resolve => group.waiting.push(resolve))
      return () => leave(group)
    },
  }
}
