/** Whoever asks this server: the line-ups saved here, and a built-in model only if somebody agreed to its download. */
import { UsageError } from '../core/errors.ts'
import type { Archive } from '../store/archive/archive.ts'
import { lettersOfBook } from '../table/book-letters.ts'
import type { Asker } from '../table/index.ts'
import { savedLineups } from '../table/saved-lineups.ts'
import type { HouseFetch } from './house-fetch.ts'

/** Requests name no files: whoever runs the server says which ones there are. */
export const askerOn = (archive: Archive, house: HouseFetch): Asker => ({
  lineups: () => savedLineups(archive),
  letters: id => lettersOfBook(archive, id),
  log: id => archive.read(id),
  file: async (session, sha256) => (await archive.file(session, sha256))?.data,
  async builtIn(wanted) {
    const ready = await house.ready(wanted)
    if (ready) return ready
    const name = wanted?.name ?? (await house.state()).name
    throw new UsageError(`The built-in model ${name} isn't downloaded yet.`, 'no-consent')
  },
  async engine() {
    if (!house.hasEngine())
      throw new UsageError("The engine for local models isn't downloaded yet.", 'no-consent')
  },
})
