/** What a fork in the middle would take: the rounds that are left, and a report. What it copies was paid for. */
import type { Session } from '../core/log/state.ts'
import { protocolNamed } from '../protocols/index.ts'
import { costOf } from '../runtime/budget.ts'
import { type Estimate, estimateOf, type Range } from './estimate.ts'
import type { Reach } from './reach.ts'
import { lessOf, moderatorPrice, report } from './round-estimate.ts'

const note = 'Only calls after the fork are made and counted: the answers before it are copied.'

/** Without a further round, only the report is written: at most in three calls, and perhaps it was copied. */
const mostCalls = 3
const upTo = (high: number): Range => ({ low: 0, high })

const atLeast = (range: Range, floor: Range): Range => ({
  low: Math.max(range.low, floor.low),
  high: Math.max(range.high, floor.high),
})

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
  const calls = session.moderator === null ? 0 : mostCalls
  const price = moderatorPrice(session.moderator, reach)
  return {
    ...left,
    calls: atLeast(left.calls, upTo(calls)),
    inputTokens: atLeast(left.inputTokens, upTo(calls * report.inputTokens)),
    outputTokens: atLeast(left.outputTokens, upTo(calls * report.outputTokens)),
    costUsd: left.costUsd && atLeast(left.costUsd, upTo(price ? calls * costOf(report, price) : 0)),
    seconds: atLeast(left.seconds, upTo(60)),
  }
}
