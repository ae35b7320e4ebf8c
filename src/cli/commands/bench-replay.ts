/** `bench replay`: scores every rule on recorded votes, against the majority and the best seat. */
import type { Command } from 'commander'
import { replay } from '../../bench/replay.ts'
import { progressOn, recordingIn, writePage } from '../bench/files.ts'
import { replayLines } from '../bench/view.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { wholeNumberFrom } from '../terminal/flags.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

interface ReplayFlags {
  readonly seats?: string
  readonly labels: string
  readonly seed: string
  readonly json?: boolean
  readonly html?: string
}

const run = (path: string, flags: ReplayFlags, shell: Shell): number => {
  const labels = wholeNumberFrom('--labels', 0)(flags.labels)
  const recording = recordingIn(path, flags.seats, shell)
  const onProgress = progressOn(shell, 'Replaying')
  const found = replay(recording, { labels, seed: flags.seed, onProgress })
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(
    flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${replayLines(found, look).join('\n')}\n`,
  )
  if (flags.html !== undefined) writePage(flags.html, { replay: found }, shell)
  return exitCodes.done
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <names>', 'only these models, by name or a part of it: a,b,c')
    .option('--labels <count>', 'how many questions the rules may learn from', '200')
    .option(
      '--seed <seed>',
      'makes random choices repeatable: which questions are labels, and the resamples',
      '1',
    )
    .option('--json', 'print JSON')
    .option('--html <file>', 'also write a page with plots')
    .action((path: string, flags: ReplayFlags) => finish(run(path, flags, shell)))
}
