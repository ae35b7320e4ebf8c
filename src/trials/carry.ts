/** Many sessions under one budget; each continues from the end of its log. */
import { isAbsolute } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import type { Meter } from '../runtime/budget.ts'
import type { OpenQueue } from '../runtime/limits.ts'
import { run } from '../runtime/run.ts'
import type { Store } from '../store/store.ts'
import { type AskInput, namesIn } from '../table/ask-input.ts'
import { type Links, openingOf } from '../table/opening.ts'
import type { Reach } from '../table/reach.ts'

export interface Carrier {
  readonly reach: Reach
  readonly openQueue: OpenQueue
  readonly meter: Meter
  readonly store: Store
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Sessions that are stopped early stay open in the store, and the next run continues them. */
  readonly resumes?: boolean
}

/** A seat or moderator that failed only because the run was stopped: the next run asks again. */
const isCutOff = (event: SessionEvent): boolean =>
  (event.type === 'seat-silent' || event.type === 'moderator-failed') &&
  (event.error.kind === 'budget' || event.error.kind === 'cancelled')

/**
 * A session that the budget or Ctrl-C stops stays open, as after a crash. Otherwise it would be finished for good
 * without the missing answers. Answers that arrive meanwhile are paid for, so they are kept.
 */
export const leftOpen = (store: Store): Store => {
  let dropped = 0
  let over = false
  return {
    ...store,
    async append(id, events) {
      const kept: SessionEvent[] = []
      for (const event of events) {
        over ||= event.type === 'session-stopped'
        if (over || isCutOff(event)) dropped++
        else kept.push({ ...event, position: event.position - dropped })
      }
      if (kept.length > 0) await store.append(id, kept)
    },
  }
}

export interface Planned {
  readonly id: string
  readonly input: AskInput
  /** How it belongs to an earlier session. */
  readonly links?: Links
  /** Events after the opening of a new session, such as a sealed round that is known already. */
  readonly begins?: readonly SessionEvent[]
}

const begun = async ({ reach, store, clock }: Carrier, planned: Planned): Promise<SessionEvent[]> => {
  const there = await store.read(planned.id)
  if (there.length > 0) return there
  const opening = openingOf(planned.input, planned.id, reach, [], planned.links)
  const first = await opening.first(clock)
  const log = [first, ...(planned.begins ?? [])].map((event, position) => ({ ...event, position }))
  if (opening.files.length > 0) await store.keepFiles(planned.id, opening.files)
  await store.append(planned.id, log)
  return log
}

/** The folder of a bench may be a stranger's: a log in it must not load files that the plan doesn't name. */
const refuseOthers =
  ({ input }: Planned) =>
  (session: Session): void => {
    const planned = namesIn(input)
    const file = namesIn(session).find(
      name => name.startsWith('house/') && isAbsolute(name.slice('house/'.length)) && !planned.includes(name),
    )
    if (file === undefined) return
    throw new UsageError(`The log of session ${session.id} loads a file that was not asked for: ${file}.`)
  }

/** Runs a session to its end. One that is finished in the store costs nothing. */
export const carry = async (carrier: Carrier, planned: Planned): Promise<Session> => {
  const log = await begun(carrier, planned)
  const { reach, openQueue, meter, clock, signal } = carrier
  const store = carrier.resumes ? leftOpen(carrier.store) : carrier.store
  const { providers, protocols } = reach
  const refuse = refuseOthers(planned)
  const runner = { providers, protocols, openQueue, meter, clock, signal, publish() {}, store, refuse }
  return fold(await run(runner, log))
}
