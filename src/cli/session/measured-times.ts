/** How long models took in their latest sessions: the terminal says from it how long a session may still take. */
import { fold, type Session } from '../../core/log/state.ts'
import { type MeasuredTimes, measuredIn } from '../../core/progress/time-left.ts'
import { trackRecordOf } from '../../core/track-record/index.ts'
import type { Archive } from '../../store/archive/archive.ts'

/** Of each model. Older ones may have been slower or faster, and an archive can hold thousands. */
const latestSessions = 5

export type EarlierSessions = Pick<Archive, 'find' | 'read'>

export const measuredTimes = async (
  archive: EarlierSessions,
  models: readonly string[],
): Promise<MeasuredTimes> => {
  const ids = new Set<string>()
  for (const model of new Set(models)) {
    const { sessions } = await archive.find({ model, outcome: 'verdict' }, { limit: latestSessions })
    for (const { id } of sessions) ids.add(id)
  }
  const sessions: Session[] = []
  for (const id of ids) {
    const log = await archive.read(id)
    // It may have been removed after it was found.
    if (log.length > 0) sessions.push(fold(log))
  }
  return measuredIn(trackRecordOf(sessions).models)
}
