/** How long a session ran. */
import type { SessionEvent } from '../../../core/log/event.ts'

/** Milliseconds until it finished; a person may come back days later, and that pause isn't counted. Undefined: not yet. */
export const runningTime = (events: readonly SessionEvent[]): number | undefined => {
  let sum: number | undefined
  let since: number | undefined
  for (const { type, at } of events) {
    since ??= Date.parse(at)
    if (type !== 'session-finished') continue
    sum = (sum ?? 0) + Date.parse(at) - since
    since = undefined
  }
  return sum
}
