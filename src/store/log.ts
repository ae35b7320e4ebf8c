/** What every store checks and derives alike. */
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { fold } from '../core/log/state.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import type { Listed } from './store.ts'

/** Ids become file names and parts of URLs, so nothing that could leave its folder is allowed. */
export const checkedId = (id: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id)) return id
  throw new UsageError(
    `${JSON.stringify(id)} is not a session id. Ids consist of letters, digits, "-" and "_".`,
  )
}

/** The position of the first event. A gap in the batch would be a gap in the log. */
export const firstPosition = (events: readonly SessionEvent[]): number => {
  const first = events[0]?.position ?? 0
  const gap = events.find((event, index) => event.position !== first + index)
  if (gap) throw new Error(`There is a gap before position ${gap.position}: the events start at ${first}.`)
  return first
}

export const listed = (events: readonly SessionEvent[]): Listed => {
  const session = fold(events)
  const verdict = session.outcome ? verdictOf(session) : null
  return {
    id: session.id,
    question: session.question.text,
    openedAt: session.openedAt,
    outcome: session.outcome ?? null,
    level: verdict?.level ?? null,
    line: verdict?.line ?? null,
  }
}

export const newestFirst = <T extends Listed>(sessions: readonly T[]): T[] =>
  sessions.toSorted((one, other) => {
    if (one.openedAt !== other.openedAt) return one.openedAt < other.openedAt ? 1 : -1
    return one.id < other.id ? 1 : -1
  })
