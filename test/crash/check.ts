/** What must hold after any number of kills, checked on the logs, the calls and what watchers saw. */

import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import type { Archive } from '../../src/store/archive.ts'
import type { RecordedCall } from '../lab/call.ts'
import { callKey, givenUpBy, settledCalls } from './calls.ts'
import type { Watched } from './sessions.ts'

/** One line per problem, and how much was checked. */
export interface Findings {
  readonly problems: readonly string[]
  /** Events that a watcher saw and the log doesn't have. */
  readonly lost: number
  /** Calls that were made although their answer was in the log, and answers that are in it twice. */
  readonly paidTwice: number
  readonly verdicts: number
  readonly events: number
  readonly seen: number
}

const wrongWithLog = (log: readonly SessionEvent[]): string[] => {
  const outcome = log.length > 0 ? fold(log).outcome : undefined
  return [
    ...(outcome === 'verdict' ? [] : [`ended with ${outcome}`]),
    ...(log.every((event, place) => event.position === place) ? [] : ['has a gap']),
  ]
}

const wrongWithWatching = (log: readonly SessionEvent[], { seen, problem }: Watched): string[] => [
  ...(problem === undefined ? [] : [problem]),
  ...(seen.length < log.length ? [`showed ${seen.length} of ${log.length} events`] : []),
  ...seen.flatMap((event, place) => {
    if (event.position !== place) return [`showed event ${event.position} in place ${place}`]
    return isDeepStrictEqual(log[place], event) ? [] : [`lost event ${place}, which was seen`]
  }),
]

const wrongWithCalls = (
  log: readonly SessionEvent[],
  number: number,
  arrivals: ReadonlyMap<string, readonly RecordedCall[]>,
): string[] => {
  const answers = settledCalls(number, log)
  const givenUp = log.flatMap(event => {
    const key = givenUpBy(number, event)
    const again = key === undefined ? undefined : arrivals.get(key)
    return again?.some(call => call.at > Date.parse(event.at) + 1)
      ? [`asked ${key} again though the table had gone on without it`]
      : []
  })
  const twice = answers.flatMap(({ key, at }, place) => {
    const isSecond = answers.findIndex(other => other.key === key) < place
    // An event gets its time before it is stored.
    const isLate = arrivals.get(key)?.some(call => call.at > at + 1)
    return [
      ...(isSecond ? [`has two answers of ${key}`] : []),
      ...(isLate ? [`asked ${key} again though its answer was in the log`] : []),
    ]
  })
  return [...twice, ...givenUp]
}

export const checked = async (
  archive: Archive,
  sessions: readonly Watched[],
  calls: readonly RecordedCall[],
): Promise<Findings> => {
  const problems: string[] = []
  const arrivals = Map.groupBy(calls, callKey)
  let [verdicts, events, seen, lost, paidTwice] = [0, 0, 0, 0, 0]
  for (const watched of sessions) {
    const { id, number } = watched
    const log = id === '' ? [] : await archive.read(id)
    events += log.length
    seen += watched.seen.length
    const wrong = wrongWithLog(log)
    if (wrong.length === 0) verdicts++
    const missing = watched.seen.filter((event, place) => !isDeepStrictEqual(log[place], event)).length
    const twice = wrongWithCalls(log, number, arrivals)
    lost += missing
    paidTwice += twice.length
    wrong.push(...wrongWithWatching(log, watched), ...twice)
    problems.push(...wrong.map(words => `session ${number} (${id}) ${words}`))
  }
  const stored = (await archive.list()).length
  if (stored !== sessions.length) problems.push(`${stored} sessions are stored instead of ${sessions.length}`)
  return { problems, lost, paidTwice, verdicts, events, seen }
}
