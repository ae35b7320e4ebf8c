/** What finished sessions add to the track record, kept from one request to the next: only what is new is read. */
import { fold } from '../core/log/state.ts'
import { type SessionRecord, sessionRecordOf } from '../core/track-record/index.ts'
import type { Archive, FoundSession } from '../store/archive/archive.ts'

const pageSize = 200

interface Known {
  /** Of the last event that was read. */
  readonly position: number
  readonly record: SessionRecord | undefined
}

/** A session that was removed and imported again may be another one under the same name. */
const keyOf = ({ id, openedAt, question }: FoundSession): string => JSON.stringify([id, openedAt, question])

export const createSessionRecords = (archive: Pick<Archive, 'find' | 'read'>) => {
  let known = new Map<string, Known>()

  const current = async (session: FoundSession): Promise<Known | undefined> => {
    const before = known.get(keyOf(session))
    if (before && (await archive.read(session.id, before.position)).length === 0) return before
    const log = await archive.read(session.id)
    // It may have been removed after the page was read.
    return log.length === 0 ? undefined : { position: log.length - 1, record: sessionRecordOf(fold(log)) }
  }

  /** Of the newest finished sessions. It reads one log at a time, so that other requests are served in between. */
  return async (most: number): Promise<SessionRecord[]> => {
    const seen = new Map<string, Known>()
    let cursor: string | undefined
    do {
      const page = await archive.find({}, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
      for (const session of page.sessions) {
        if (session.outcome === null || seen.size === most) continue
        const one = await current(session)
        if (one) seen.set(keyOf(session), one)
      }
      cursor = page.next ?? undefined
    } while (cursor !== undefined && seen.size < most)
    // A request for a few says nothing about the others.
    known = seen.size === most ? new Map([...known, ...seen]) : seen
    return [...seen.values()].flatMap(({ record }) => record ?? [])
  }
}
