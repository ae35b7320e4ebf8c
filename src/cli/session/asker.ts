/** The person at this terminal: their saved line-ups and files, and their consent to a download. */
import type { Archive } from '../../store/archive/archive.ts'
import { houseLabel } from '../../table/house-table.ts'
import type { Asker, Config } from '../../table/index.ts'
import { savedLineups } from '../../table/saved-lineups.ts'
import type { Shell } from '../terminal/shell.ts'
import { readyAny, readyWeights } from './house-weights.ts'

/** `yes`: the person has already agreed to a download. */
export const askerAt = (
  archive: Pick<Archive, 'lineups' | 'file'>,
  { env }: Config,
  shell: Shell,
  yes = false,
): Asker => ({
  files: shell.cwd,
  lineups: () => savedLineups(archive),
  file: async (session, sha256) => (await archive.file(session, sha256))?.data,
  async builtIn(wanted) {
    const surroundings = { ...shell, env }
    if (wanted) return (await readyWeights(wanted, surroundings, yes)).weights
    shell.stderr.write(`No API key and no server found, so the built-in model answers. ${houseLabel}.\n`)
    return (await readyAny(surroundings, yes)).weights
  },
})
