/** The one place where something that happened becomes an event: it gets its position in the log and its time. */
import type { Happening } from './event.ts'

export interface Stamp {
  readonly position: number
  readonly at: string
}

/** The clock is handed in, in milliseconds: the core reads none. */
export const stamped = <T extends Happening>(
  happening: T,
  position: number,
  clock: () => number,
): T & Stamp => ({ position, at: new Date(clock()).toISOString(), ...happening })

/** Events that are appended together have consecutive positions and the same time. */
export const allStamped = <T extends Happening>(
  happenings: readonly T[],
  from: number,
  clock: () => number,
): (T & Stamp)[] => {
  const now = clock()
  return happenings.map((happening, index) => stamped(happening, from + index, () => now))
}
