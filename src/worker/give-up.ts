/** Ends a session that can't be run, with the reason in its log, so that a person can fix the cause and resume it. */
import type { Happening } from '../core/log/event.ts'
import { allStamped } from '../core/log/stamp.ts'
import type { Database } from '../store/database.ts'
import { appendLog } from '../store/postgres-log.ts'
import type { Store } from '../store/store.ts'
import type { Bus } from './bus.ts'
import type { Jobs, TakenJob } from './jobs.ts'

const longestReason = 500

const reasonOf = (error: unknown): string => {
  const words = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim()
  return words.length > longestReason ? `${words.slice(0, longestReason - 1)}…` : words
}

const ending = (error: unknown): Happening[] => {
  const reason = reasonOf(error)
  const words = `The session could not run: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`
  return [
    { type: 'session-stopped', reason: 'failed', words },
    { type: 'session-finished', outcome: 'failed' },
  ]
}

export const giveUp = async (
  { store, database, jobs, bus }: { store: Store; database: Database; jobs: Jobs; bus: Bus },
  job: TakenJob,
  error: unknown,
): Promise<void> => {
  const { session } = job.data
  const { length } = await store.read(session)
  const events = allStamped(ending(error), length, Date.now)
  await database.transaction(async transaction => {
    await appendLog(transaction, session, events)
    await jobs.done([job], transaction)
  })
  for (const event of events) bus.publish(session, event)
}
