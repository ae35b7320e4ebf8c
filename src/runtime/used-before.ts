/** What the session used before, by its log: a resumed session continues under the same budget. */
import type { Usage } from '../core/log/spent.ts'
import { callsIn, type Session } from '../core/log/state.ts'

export const usedBefore = ({ roundsSoFar, seats, moderatorUsage }: Session): Usage[] => [
  ...roundsSoFar.flatMap(round =>
    seats.flatMap(({ id }) => callsIn(round, id).flatMap(({ usage }) => usage ?? [])),
  ),
  ...moderatorUsage,
]
