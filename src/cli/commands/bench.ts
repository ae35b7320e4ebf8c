/** `bench`: what the rules and claims are worth, measured. */
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
    usage: 'replay <votes>',
    summary: 'put recorded votes (CSV: id, gold, a column for each model) through every rule',
    module: replay,
  },
  {
    usage: 'live <questions>',
    summary:
      'put questions with known answers (JSONL, or "tricks") to a table, and see whether debating helps',
    module: live,
  },
]

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  for (const { usage, summary, module } of parts)
    module.define(command.command(usage).description(summary), shell, finish)
}
