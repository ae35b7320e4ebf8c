/** `bench replay`: scores every rule on recorded votes or on recorded debates. */
import type { Command } from 'commander'
import { replayDebates } from '../../bench/debates/replay.ts'
import type { Parts } from '../../bench/page/index.ts'
import { replay } from '../../bench/replay.ts'
import { UsageError } from '../../core/errors.ts'
import { debateLines } from '../bench/debates-view.ts'
import { progressOn, type Recorded, recordedIn, writePage } from '../bench/files.ts'
import { replayLines } from '../bench/view.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { wholeNumberFrom } from '../terminal/flags.ts'
import type { Look } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

interface ReplayFlags {
  readonly seats?: string
  readonly labels?: string
  readonly seed: string
  readonly json?: boolean
  readonly html?: string
}

interface Shown {
  readonly figures: object
  readonly parts: Parts
  lines(look: Look): string[]
}

const shownOf = (recorded: Recorded, flags: ReplayFlags, shell: Shell): Shown => {
  const options = { seed: flags.seed, onProgress: progressOn(shell, 'Replaying') }
  if ('votes' in recorded) {
    const labels = wholeNumberFrom('--labels', 0)(flags.labels ?? '200')
    const found = replay(recorded.votes, { ...options, labels })
    return { figures: found, parts: { replay: found }, lines: look => replayLines(found, look) }
  }
  if (flags.labels !== undefined)
    throw new UsageError('--labels is for files of votes. In debates, rules learn on one half of each file.')
  const found = replayDebates(recorded.debates, options)
  return { figures: found, parts: { debates: found }, lines: look => debateLines(found, look) }
}

const run = (paths: readonly string[], flags: ReplayFlags, shell: Shell): number => {
  const { figures, parts, lines } = shownOf(recordedIn(paths, flags.seats, shell), flags, shell)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(flags.json ? `${JSON.stringify(figures, null, 2)}\n` : `${lines(look).join('\n')}\n`)
  if (flags.html !== undefined) writePage(flags.html, parts, shell)
  return exitCodes.done
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <names>', 'only these models, by name or a part of it: a,b,c')
    .option('--labels <count>', 'votes: how many questions the rules may learn from (default: 200)')
    .option(
      '--seed <seed>',
      'makes random choices repeatable: which questions are learnt from, and the resamples',
      '1',
    )
    .option('--json', 'print JSON')
    .option('--html <file>', 'also write a page with plots')
    .action((paths: string[], flags: ReplayFlags) => finish(run(paths, flags, shell)))
}
