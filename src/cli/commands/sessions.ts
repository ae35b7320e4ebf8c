/** `sessions` and `search`: lists saved sessions. */
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
      narrowed ? 'No saved session matches.' : undefined,
    )
    if (next && !json) shell.stderr.write(`There are more. To see them: --limit ${most * 2}\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--model <model>', 'only sessions with this model, as provider/model')
    .option('--protocol <id>', 'only sessions of this protocol')
    .addOption(new Option('--level <level>', 'only sessions with this level of agreement').choices(levels))
    .option('--tag <tag>', 'only sessions with this tag')
    .option('--since <date>', 'only sessions from this date on: 2026-01-31')
    .option('--before <date>', 'only sessions from before this date')
    .option('--limit <count>', 'how many sessions to list', '50')
    .option('--json', 'print JSON')
    .action((...given: readonly unknown[]) => {
      const words = Array.isArray(given[0]) ? (given[0] as string[]) : []
      return list(words, command.opts<Flags>(), shell)
    })
}
