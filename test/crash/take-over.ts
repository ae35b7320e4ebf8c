/** How long a session that was running on a killed process waits until somebody goes on with it. */
import type { RecordedCall } from '../lab/server.ts'
import { callerOf, numberOf } from './calls.ts'

export interface Kill {
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
  /** Those with a call under way. */
  readonly sessions: readonly number[]
}

/** What a process is running: sessions for which it has a call under way. */
export const runningOn = (name: string, calls: readonly RecordedCall[]): number[] => [
  ...new Set(calls.filter(call => call.state === 'open' && callerOf(call) === name).map(numberOf)),
]

/** From each kill to the next call for each session that it struck. */
export const takeOverTimes = (kills: readonly Kill[], calls: readonly RecordedCall[]): number[] => {
  const bySession = Map.groupBy(calls, numberOf)
  return kills.flatMap(({ at, sessions }) =>
    sessions.flatMap(session => {
      const next = bySession.get(session)?.find(call => call.at > at)
      // Every answer was in already: nothing is left to call for.
      return next ? [next.at - at] : []
    }),
  )
}
