/** The track record of models, from the saved sessions. */
import { fold, type Session } from '../../core/log/state.ts'
import { scoresOf, type TrackRecord, trackRecordOf } from '../../core/track-record/index.ts'
import type { Store } from '../../store/store.ts'

/** Reads one log at a time: the logs of thousands of sessions would not fit into memory. */
const sessionsIn = async (store: Store): Promise<Session[]> => {
  const over = (await store.list()).filter(session => session.outcome !== null)
  const sessions: Session[] = []
  for (const { id } of over) sessions.push(fold(await store.read(id)))
  return sessions
}

export const trackRecordIn = async (store: Store): Promise<TrackRecord> =>
  trackRecordOf(await sessionsIn(store))

/** What resolved sessions of the archive say about models, and about tables by how their sealed vote was divided. */
export const knownFrom = async (store: Store) => {
  const record = await trackRecordIn(store)
  return { record: scoresOf(record), splits: record.splits }
}
