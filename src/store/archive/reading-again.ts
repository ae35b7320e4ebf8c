/**
 * Reads once more if the connection broke: the pool has another one, so the request can still be answered. What
 * writes isn't tried again, because it may have been carried out.
 */
import { isDatabaseAway } from '../database-away.ts'
import type { Archive } from './archive.ts'
import { type ArchiveMethod, archiveFrom, callOn } from './methods.ts'

const reads: ReadonlySet<ArchiveMethod> = new Set([
  ...(['read', 'list', 'find', 'file', 'filing', 'lineups', 'settings', 'setting'] as const),
  ...(['record', 'ownedRecord', 'records', 'spending', 'ledger', 'asked'] as const),
])

export const readingAgain = (archive: Archive): Archive =>
  archiveFrom(
    (method, given) => {
      const called = callOn(archive, method, given)
      if (!reads.has(method)) return called
      return called.catch((error: unknown) => {
        if (isDatabaseAway(error)) return callOn(archive, method, given)
        throw error
      })
    },
    () => archive.close(),
  )
