/** Keeps the log of one session in memory and in the store, and shows it to watchers. */
import { withholding } from '../core/letters/withheld.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { isInterjection } from '../core/log/interjection.ts'
import { allStamped } from '../core/log/stamp.ts'
import { apply, fold } from '../core/log/state.ts'
import { PositionTaken } from '../store/store.ts'
import type { Runner } from './runner.ts'

export const writer = (
  runner: Pick<Runner, 'store' | 'publish' | 'clock'>,
  begun: readonly SessionEvent[],
) => {
  const log = [...begun]
  let session = fold(log)
  const withheld = withholding()
  log.forEach(withheld)
  const take = (event: SessionEvent): void => {
    log.push(event)
    session = apply(session, event)
    runner.publish(withheld(event))
  }
  /** Reads what people did to the session in the meantime. Returns whether there was anything. */
  const catchUp = async (): Promise<boolean> => {
    const newer = (await runner.store?.read(session.id, log.length - 1)) ?? []
    // Another runner has continued the session. To continue here as well would pay twice.
    if (!newer.every(isInterjection)) throw new PositionTaken(session.id, log.length)
    newer.forEach(take)
    return newer.length > 0
  }
  const append = async (happenings: readonly Happening[]): Promise<void> => {
    if (happenings.length === 0) return
    const events = allStamped(happenings, log.length, runner.clock)
    try {
      await runner.store?.append(session.id, events)
    } catch (error) {
      if (!PositionTaken.isInstance(error) || !(await catchUp())) throw error
      return append(happenings)
    }
    events.forEach(take)
  }
  return { log, session: () => session, append, catchUp }
}
