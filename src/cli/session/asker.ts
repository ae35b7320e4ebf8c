/** The person at this terminal: their saved line-ups and files, and their consent to a download. */
import type { Archive } from '../../store/archive/archive.ts'
import { lettersOfBook } from '../../table/book-letters.ts'
import { houseLabel } from '../../table/house-table.ts'
import type { Asker, Config } from '../../table/index.ts'
import { savedLineups } from '../../table/saved-lineups.ts'
import { listFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'
import { agentConsent } from './agent-consent.ts'
import { readyAny, readyEngine, readyWeights } from './house-weights.ts'

/** What the person typed, as far as it matters who asks. `yes`: they agreed to a download beforehand. */
interface TypedFlags {
  readonly yes?: boolean
  readonly seats?: string
  readonly moderator?: string
}

export const askerAt = (
  archive: Archive,
  { env }: Config,
  shell: Shell,
  { yes = false, seats = '', moderator = '' }: TypedFlags,
): Asker => ({
  files: shell.cwd,
  typed: [...(seats === '' ? [] : listFrom(seats)), moderator],
  lineups: () => savedLineups(archive),
  letters: id => lettersOfBook(archive, id),
  log: id => archive.read(id),
  engine: async () => void (await readyEngine({ ...shell, env }, yes)),
  agents: ready => agentConsent(ready, shell),
  file: async (session, sha256) => (await archive.file(session, sha256))?.data,
  async builtIn(wanted) {
    const surroundings = { ...shell, env }
    if (wanted) return (await readyWeights(wanted, surroundings, yes)).weights
    shell.stderr.write(`No API key and no server found, so the built-in model answers. ${houseLabel}.\n`)
    return (await readyAny(surroundings, yes)).weights
  },
})
