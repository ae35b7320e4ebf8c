/** An archive that tells other processes that the sessions opened on it are run by this one. */
import type { Archive } from '../../store/archive/archive.ts'
import type { Shared } from '../../store/shared/shared.ts'

/** The runs are owned until the archive is closed. */
export const owningRuns = (archive: Shared): Archive => ({
  ...archive,
  async append(id, events, ownership) {
    if (events[0]?.position === 0) await archive.ownRun(id)
    await archive.append(id, events, ownership)
  },
})
