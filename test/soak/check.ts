/** What must hold at the end, checked on the logs. */
import { fold, usageOf } from '../../src/core/fold.ts'
import type { Session } from '../../src/core/session.ts'
import { verdictOf } from '../../src/count/verdict.ts'
import type { Archive } from '../../src/store/archive.ts'
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
  /** Sessions in which we asked for or read more than the budget allowed, or that hide that a provider used more. */
  readonly overBudget: readonly string[]
  /** Sessions over their budget only by what providers report beyond what they were allowed. The sessions say so. */
  readonly claimed: readonly string[]
}

/** `exceeded`: by us. `claimed`: by a provider's own figures, and the session says so. */
export const budgetOf = (session: Session, budget: number): 'kept' | 'claimed' | 'exceeded' => {
  const { inputTokens, outputTokens, excessTokens = 0 } = usageOf(session)
  const used = inputTokens + outputTokens
  if (used <= budget) return 'kept'
  const isSaid = verdictOf(session).flags.includes('over budget')
  return used - excessTokens <= budget && isSaid ? 'claimed' : 'exceeded'
}

export const checkSessions = async (archive: Archive, sessions: readonly SoakSession[]): Promise<Checked> => {
  const lost: string[] = []
  const unended: string[] = []
  const overBudget: string[] = []
  const claimed: string[] = []
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
    const kept = budgetOf(state, budget)
    if (kept === 'kept') continue
    const { inputTokens, outputTokens, excessTokens = 0 } = usageOf(state)
    const used = `used ${inputTokens + outputTokens} of ${budget} tokens`
    const words = `session ${id} ${used}, ${excessTokens} of them beyond what a provider was allowed (${state.protocol})`
    if (kept === 'claimed') claimed.push(words)
    else overBudget.push(words)
  }
  return { events, seen, ended, budgets, lost, unended, overBudget, claimed }
}
