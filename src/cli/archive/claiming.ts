/** An archive by which other processes know that the sessions opened on it are run by this one. */
import type { Archive } from '../../store/archive/archive.ts'
import type { Shared } from '../../store/shared/shared.ts'

/** Claims are held until the archive is closed. */
export const claiming = (archive: Shared): Archive => ({
  ...archive,
  async append(id, events) {
    if (events[0]?.position === 0) await archive.claim(id)
    await archive.append(id, events)
  },
})
