/** `bench`: measures aggregation rules and tables on questions with known answers. */
import type { Command } from 'commander'
import type { CommandModule, Shell } from '../terminal/shell.ts'
import * as live from './bench-live.ts'
import * as replay from './bench-replay.ts'

interface Part {
  readonly usage: string
  readonly summary: string
  readonly module: CommandModule
}

const parts: readonly Part[] = [
  {
    usage: 'replay <files...>',
    summary:
      'score every rule on recorded votes (CSV: id, gold, one column per model) or debates (columns model@round)',
    module: replay,
  },
  {
    usage: 'live <questions>',
    summary: 'ask a table questions with known answers (JSONL file, or "tricks"), and see if debating helps',
    module: live,
  },
]

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  for (const { usage, summary, module } of parts)
    module.define(command.command(usage).description(summary), shell, finish)
}
