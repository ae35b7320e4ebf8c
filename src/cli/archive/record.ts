/** The track record of what is saved. */
import { fold, type Session } from '../../core/log/state.ts'
import { scoresOf, type TrackRecord, trackRecordOf } from '../../core/track-record/index.ts'
import type { Store } from '../../store/store.ts'

/** One log at a time: an archive of thousands must not stand in memory twice. */
const sessionsIn = async (store: Store): Promise<Session[]> => {
  const over = (await store.list()).filter(session => session.outcome !== null)
  const sessions: Session[] = []
  for (const { id } of over) sessions.push(fold(await store.read(id)))
  return sessions
}

export const trackRecordIn = async (store: Store): Promise<TrackRecord> =>
  trackRecordOf(await sessionsIn(store))

/** By model: its score in the resolved questions of the archive. */
export const scoresIn = async (store: Store): Promise<Record<string, { right: number; of: number }>> =>
  scoresOf(await trackRecordIn(store))
