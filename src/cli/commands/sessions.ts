/** `sessions` and `search`: which sessions are saved. */
import { type Command, Option } from 'commander'
import { levels } from '../../core/verdict/tally.ts'
import type { Filter } from '../../store/archive/archive.ts'
import { writeSessions } from '../archive/session-list.ts'
import { withArchive } from '../archive/sessions.ts'
import { numberFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

type Flags = Omit<Filter, 'words' | 'from'> & {
  readonly since?: string
  readonly limit: string
  readonly json?: boolean
}

const list = (words: readonly string[], flags: Flags, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const { since, limit, json, ...filter } = flags
    const wanted = {
      ...filter,
      ...(since && { from: since }),
      ...(words.length && { words: words.join(' ') }),
    }
    const narrowed = Object.keys(wanted).some(key => key !== 'verbose')
    const most = numberFrom('--limit', 1)(limit)
    const { sessions, next } = await archive.find(wanted, { limit: most })
    writeSessions(
      { sessions, running: await archive.running() },
      { json: json ?? false },
      shell,
      narrowed ? 'No saved session fits that.' : undefined,
    )
    if (next && !json) shell.stderr.write(`There are more: --limit ${most * 2} shows the next ones too.\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--model <model>', 'with this model at the table, as provider/model')
    .option('--protocol <id>', 'of this protocol')
    .addOption(new Option('--level <level>', 'with this level of agreement').choices(levels))
    .option('--tag <tag>', 'with this tag')
    .option('--since <date>', 'opened at this date or later: 2026-01-31')
    .option('--before <date>', 'opened before this date')
    .option('--limit <count>', 'how many at most', '50')
    .option('--json', 'as JSON')
    .action((...given: readonly unknown[]) => {
      const words = Array.isArray(given[0]) ? (given[0] as string[]) : []
      return list(words, command.opts<Flags>(), shell)
    })
}
