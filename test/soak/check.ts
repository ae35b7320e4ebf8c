/** What must hold at the end, checked on the logs. */
import { fold } from '../../src/core/log/state.ts'
import { usageOf } from '../../src/core/log/usage.ts'
import type { Archive } from '../../src/store/archive/archive.ts'
import type { SoakSession } from './sessions.ts'
import { digestOf } from './watchers.ts'

export interface Checked {
  readonly events: number
  readonly seen: number
  readonly ended: number
  readonly budgets: number
  /** Events that a watcher saw and the log doesn't have, and gaps. */
  readonly lost: readonly string[]
  readonly unended: readonly string[]
  readonly overBudget: readonly string[]
}

export const checkSessions = async (archive: Archive, sessions: readonly SoakSession[]): Promise<Checked> => {
  const lost: string[] = []
  const unended: string[] = []
  const overBudget: string[] = []
  let [events, seen, ended, budgets] = [0, 0, 0, 0]
  for (const session of sessions) {
    const { id, budget } = session
    const log = await archive.read(id)
    events += log.length
    seen += session.seen.size
    if (log.some((event, place) => event.position !== place)) lost.push(`session ${id} has a gap`)
    for (const [position, digest] of session.seen) {
      const event = log[position]
      if (event === undefined || digestOf(event) !== digest) lost.push(`session ${id} lost event ${position}`)
    }
    if (log.length === 0) continue
    const state = fold(log)
    if (state.outcome === undefined) unended.push(`session ${id} has no outcome`)
    else ended++
    if (budget === undefined) continue
    budgets++
    const { inputTokens, outputTokens } = usageOf(state)
    if (inputTokens + outputTokens > budget)
      overBudget.push(
        `session ${id} used ${inputTokens + outputTokens} of ${budget} tokens (${state.protocol})`,
      )
  }
  return { events, seen, ended, budgets, lost, unended, overBudget }
}
