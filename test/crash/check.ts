/** What must hold after any number of kills, checked on the logs, the calls, and what watchers saw. */
import type { SessionOpened } from '../../src/core/event.ts'
import { fold } from '../../src/core/state.ts'
import type { Store } from '../../src/store/store.ts'
import type { RecordedCall } from '../lab/server.ts'
import { answeredBy, callKey } from './calls.ts'
import { digestOf } from './process.ts'

/** A committed event that reached a watcher. */
export interface Seen {
  readonly session: string
  readonly position: number
  readonly digest: string
}

/** One line for each thing that is wrong, and how much was looked at. */
export interface Findings {
  readonly problems: readonly string[]
  readonly verdicts: number
  readonly events: number
  readonly seen: number
}

export const checked = async (
  store: Store,
  firsts: readonly SessionOpened[],
  calls: readonly RecordedCall[],
  seen: readonly Seen[],
): Promise<Findings> => {
  const problems: string[] = []
  const arrivals = Map.groupBy(calls, callKey)
  const watched = Map.groupBy(seen, ({ session }) => session)
  let verdicts = 0
  let events = 0
  for (const [number, { id }] of firsts.entries()) {
    const log = await store.read(id)
    events += log.length
    const outcome = log.length > 0 ? fold(log).outcome : undefined
    if (outcome === 'verdict') verdicts++
    else problems.push(`${id} ended with ${outcome}`)
    if (log.some((event, place) => event.position !== place)) problems.push(`${id} has a gap`)
    for (const { position, digest } of watched.get(id) ?? []) {
      const event = log[position]
      if (!event || digestOf(event) !== digest) problems.push(`${id} lost event ${position}, which was seen`)
    }
    const answered = new Set<string>()
    for (const event of log) {
      const key = answeredBy(number, event)
      if (key === undefined) continue
      if (answered.has(key)) problems.push(`${id} has two answers of ${key}`)
      answered.add(key)
      // What is in the log has its time from before it was stored.
      const late = (arrivals.get(key) ?? []).filter(call => call.at > Date.parse(event.at) + 1)
      if (late.length > 0) problems.push(`${id} asked ${key} again though its answer was in the log`)
    }
  }
  return { problems, verdicts, events, seen: seen.length }
}
