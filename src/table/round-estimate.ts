/** What one more open round of a session would take. */
import type { SessionEvent } from '../core/log/event.ts'
import { fold } from '../core/log/state.ts'
import type { Price } from '../providers/provider.ts'
import { costOf } from '../runtime/budget.ts'
import { resolveModel } from '../runtime/context.ts'
import { type Estimate, estimateOf, type Range, repeatedNote } from './estimate.ts'
import type { Reach } from './reach.ts'

const less = (one: Range, other: Range): Range => ({
  low: Math.max(0, one.low - other.low),
  high: Math.max(0, one.high - other.high),
})

const lessOrUnknown = (one: Range | null, other: Range | null): Range | null =>
  one && other && less(one, other)

/** What one estimate has more than another. */
export const lessOf = (after: Estimate, before: Estimate, notes: readonly string[]): Estimate => ({
  calls: less(after.calls, before.calls),
  inputTokens: less(after.inputTokens, before.inputTokens),
  outputTokens: less(after.outputTokens, before.outputTokens),
  costUsd: lessOrUnknown(after.costUsd, before.costUsd),
  seconds: less(after.seconds, before.seconds),
  seatUsd: Object.fromEntries(
    Object.entries(after.seatUsd).map(([id, range]) => [
      id,
      lessOrUnknown(range, before.seatUsd[id] ?? null),
    ]),
  ),
  repeatedInput: less(after.repeatedInput, before.repeatedInput),
  notes,
})

/** The report is written again. */
export const report = { calls: 1, inputTokens: 4_000, outputTokens: 700 }

/** Undefined if nobody knows it, or nobody moderates. */
export const moderatorPrice = (
  moderator: string | null,
  { providers }: Pick<Reach, 'providers'>,
): Price | undefined => {
  if (moderator === null) return undefined
  const { provider, model } = resolveModel(providers, moderator)
  return provider.known(model).price
}

/** The difference to a session without that round. Throws UsageError if a seat can't be reached. */
export const roundEstimateOf = (
  log: readonly SessionEvent[],
  reach: Pick<Reach, 'providers' | 'protocols'>,
): Estimate => {
  const session = fold(log)
  const [first] = log
  if (first?.type !== 'session-opened') throw new Error('A log begins with its opening.')
  const held = session.roundsSoFar.filter(round => !round.sealed).length
  const opened = { ...first, seats: session.seats, moderator: session.moderator }
  const whole = (rounds: number): Estimate => estimateOf({ ...opened, rounds }, [], reach, rounds)
  const [before, after] = [whole(held), whole(held + 1)]
  const { moderator } = opened
  const price = moderatorPrice(moderator, reach)
  const again = moderator === null ? { calls: 0, inputTokens: 0, outputTokens: 0 } : report
  const plus = (range: Range, field: keyof typeof report): Range => ({
    low: range.low + again[field],
    high: range.high + again[field],
  })
  // How much repeats is said of whole sessions only.
  const notes = after.notes.filter(note => !repeatedNote(after.repeatedInput).includes(note))
  const round = lessOf(after, before, notes)
  const { costUsd } = round
  const extra = price ? costOf(report, price) : 0
  return {
    ...round,
    calls: plus(round.calls, 'calls'),
    inputTokens: plus(round.inputTokens, 'inputTokens'),
    outputTokens: plus(round.outputTokens, 'outputTokens'),
    costUsd: costUsd && { low: costUsd.low + extra, high: costUsd.high + extra },
    seconds: { low: 8, high: round.seconds.high },
  }
}
