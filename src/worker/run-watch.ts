/** What a run sees and says of its session while it runs. */
import { isInterjection } from '../core/log/interjection.ts'
import type { Bus } from './bus.ts'

/** Wakes the run when somebody else has written to its log. An event of the run itself shows that it makes progress. */
export const watchOf = (bus: Bus, session: string, progressed: () => void) => {
  let newest = -1
  return {
    publish(event: Parameters<Bus['publish']>[1]): void {
      if ('position' in event) {
        newest = Math.max(newest, event.position)
        progressed()
      }
      bus.publish(session, event)
    },
    interjected: (wake: () => void) =>
      bus.subscribe(
        session,
        event => {
          if ('position' in event && event.position > newest && isInterjection(event)) wake()
        },
        'committed',
      ),
  }
}
