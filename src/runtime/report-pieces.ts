/** A report for those who watch it being written: placeholders have their counts, and letters of seats are names. */
import type { DraftField } from '../core/log/live-event.ts'
import type { Session } from '../core/log/state.ts'
import { withKnownCounts } from '../core/verdict/report-placeholders.ts'
import { withNames } from '../core/wording/mask.ts'
import type { DraftListener } from './draft-reader.ts'

type Emit = DraftListener['onDelta']

/** The end of a text that may still become a placeholder, or the letters of seats. Nobody should see half of them. */
const unfinished = /\{[^{}]{0,40}$|\{\{?[^{}]{0,40}\}$|\b[Ss]eats?\b[^.!?\n]{0,24}$|\S{1,40}$/u

/** Characters. Each placeholder may stand for a whole headline, and every watcher would get it as often. */
const mostFilledIn = 20_000

export const reportPieces = (session: Session, emit: Emit): Required<DraftListener> => {
  const held = new Map<DraftField, string>()
  let filledIn = 0
  const filled = (text: string): string => {
    const whole = withNames(session, withKnownCounts(session, text))
    filledIn += Math.max(0, whole.length - text.length)
    return filledIn > mostFilledIn ? text : whole
  }
  return {
    onDelta(field, text) {
      const all = (held.get(field) ?? '') + text
      const end = unfinished.exec(all)?.index ?? all.length
      held.set(field, all.slice(end))
      if (end > 0) emit(field, filled(all.slice(0, end)))
    },
    onWhole(field) {
      const rest = held.get(field) ?? ''
      held.delete(field)
      if (rest !== '') emit(field, filled(rest))
    },
  }
}
