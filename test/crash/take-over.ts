/** How long a session waits after its process is killed until another process continues it. */
import type { RecordedCall } from '../lab/call.ts'
import { callerOf, numberOf } from './calls.ts'
import type { Watched } from './sessions.ts'

/** A process is killed. */
export interface Kill {
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A process takes a session from the queue. */
export interface Taking {
  readonly session: string
  readonly by: string
  readonly at: number
}

/** Kills of the process that had the session; if there is only one process, also kills before it took it again. */
const striking = (kills: readonly Kill[], takings: readonly Taking[], alone: boolean): Kill[] =>
  kills.filter(({ name, at }) => {
    const last = takings.findLast(taking => taking.at <= at)
    return last && (alone || last.by === name)
  })

/** From each kill that interrupted a session to its next call, unless another kill came before that. */
const takeOversOf = (
  kills: readonly Kill[],
  takings: readonly Taking[],
  calls: readonly RecordedCall[],
  alone: boolean,
): number[] => {
  const struck = striking(kills, takings, alone)
  return struck.flatMap(({ name, at }, index) => {
    const next = calls.find(call => call.at > at && callerOf(call) !== name)
    const again = struck[index + 1]
    // It already had all answers, or was interrupted again: there is no take-over to measure.
    return next && (!again || next.at < again.at) ? [next.at - at] : []
  })
}

export const takeOverTimes = (
  sessions: readonly Watched[],
  kills: readonly Kill[],
  takings: readonly Taking[],
  calls: readonly RecordedCall[],
  alone: boolean,
): number[] => {
  const callsOf = Map.groupBy(calls, numberOf)
  const takingsOf = Map.groupBy(
    takings.toSorted((one, other) => one.at - other.at),
    ({ session }) => session,
  )
  return sessions.flatMap(({ id, number }) =>
    takeOversOf(kills, takingsOf.get(id) ?? [], callsOf.get(number) ?? [], alone),
  )
}
