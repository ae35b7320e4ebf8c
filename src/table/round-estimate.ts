/** What one more open round of a session would take. */
import type { SessionEvent } from '../core/log/event.ts'
import { fold } from '../core/log/state.ts'
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

/** The report is written again. */
const report = { calls: 1, inputTokens: 4_000, outputTokens: 700 }

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
  const place = moderator === null ? undefined : resolveModel(reach.providers, moderator)
  const price = place?.provider.known(place.model).price
  const again = place ? report : { calls: 0, inputTokens: 0, outputTokens: 0 }
  const plus = (range: Range, field: keyof typeof report): Range => ({
    low: range.low + again[field],
    high: range.high + again[field],
  })
  const cost = lessOrUnknown(after.costUsd, before.costUsd)
  const extra = place && price ? costOf(report, price) : 0
  return {
    calls: plus(less(after.calls, before.calls), 'calls'),
    inputTokens: plus(less(after.inputTokens, before.inputTokens), 'inputTokens'),
    outputTokens: plus(less(after.outputTokens, before.outputTokens), 'outputTokens'),
    costUsd: cost && { low: cost.low + extra, high: cost.high + extra },
    seconds: { low: 8, high: less(after.seconds, before.seconds).high },
    seatUsd: Object.fromEntries(
      Object.entries(after.seatUsd).map(([id, range]) => [
        id,
        lessOrUnknown(range, before.seatUsd[id] ?? null),
      ]),
    ),
    repeatedInput: less(after.repeatedInput, before.repeatedInput),
    // How much repeats is said of whole sessions only.
    notes: after.notes.filter(note => !repeatedNote(after.repeatedInput).includes(note)),
  }
}
