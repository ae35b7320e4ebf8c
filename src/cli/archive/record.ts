/** The track record of models, from the saved sessions. */
import { fold } from '../../core/log/state.ts'
import {
  type SessionRecord,
  scoresOf,
  sessionRecordOf,
  type TrackRecord,
  trackRecordFrom,
} from '../../core/track-record/index.ts'
import type { Store } from '../../store/store.ts'

/** Reads one log at a time: the logs of thousands of sessions would not fit into memory. */
export const trackRecordIn = async (store: Store): Promise<TrackRecord> => {
  const records: SessionRecord[] = []
  for (const { id, outcome } of await store.list()) {
    const record = outcome === null ? undefined : sessionRecordOf(fold(await store.read(id)))
    if (record) records.push(record)
  }
  return trackRecordFrom(records)
}

/** What resolved sessions of the archive say about models, and about tables by how their sealed vote was divided. */
export const knownFrom = async (store: Store) => {
  const record = await trackRecordIn(store)
  return { record: scoresOf(record), splits: record.splits }
}
