/** What a fork in the middle would take: the rounds that are left, and a report. What it copies was paid for. */
import type { Session } from '../core/log/state.ts'
import { protocolNamed } from '../protocols/index.ts'
import { type Estimate, estimateOf, type Range } from './estimate.ts'
import type { Reach } from './reach.ts'
import { lessOf } from './round-estimate.ts'

const note = 'Only calls after the fork are made and counted: the answers before it are copied.'

/** Without a further round, only the report is written. */
const reportOnly: Pick<Estimate, 'calls' | 'seconds'> = {
  calls: { low: 0, high: 3 },
  seconds: { low: 0, high: 60 },
}

/** The difference to a session that ended at the fork. */
export const forkEstimateOf = (session: Session, reach: Pick<Reach, 'providers' | 'protocols'>): Estimate => {
  const held = session.roundsSoFar.filter(({ sealed }) => !sealed).length
  const { stopsEarly } = protocolNamed(session.protocol, reach.protocols)
  const least = Math.max(held, session.wanted ?? (stopsEarly ? held : session.rounds))
  const whole = (rounds: number, heldRounds: number): Estimate =>
    estimateOf({ ...session, type: 'session-opened', rounds }, [], reach, heldRounds)
  const before = whole(held, held)
  const after = whole(session.rounds, least)
  const left = lessOf(after, before, [note])
  const atLeast = (range: Range, floor: Range): Range => ({
    low: Math.max(range.low, floor.low),
    high: Math.max(range.high, floor.high),
  })
  return {
    ...left,
    calls: atLeast(left.calls, session.moderator === null ? { low: 0, high: 0 } : reportOnly.calls),
    seconds: atLeast(left.seconds, reportOnly.seconds),
  }
}
