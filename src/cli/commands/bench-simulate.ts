/** `bench simulate`: each claim about rules and debates as a check with its figure. */
import type { Command } from 'commander'
import { sealedRoundOf, simulate } from '../../bench/simulation/index.ts'
import { UsageError } from '../../core/errors.ts'
import { progressOn, recordingIn, writePage } from '../bench/files.ts'
import { simulationLines } from '../bench/view.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { wholeNumberFrom } from '../terminal/flags.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

interface SimulateFlags {
  readonly votes?: string
  readonly seats?: string
  readonly questions: string
  readonly seed: string
  readonly json?: boolean
  readonly html?: string
}

const sealedRound = (flags: SimulateFlags, shell: Shell) => {
  if (flags.votes === undefined) {
    if (flags.seats !== undefined) throw new UsageError('--seats needs --votes, the file that has them.')
    return {}
  }
  const sealed = sealedRoundOf(recordingIn(flags.votes, flags.seats, shell))
  if (sealed.length === 0) throw new UsageError(`${flags.votes}: no question was answered by every seat.`)
  return { sealed }
}

/** A claim that does not hold is a finding, and the exit code says so: 1. */
const run = (flags: SimulateFlags, shell: Shell): number => {
  const questions = wholeNumberFrom('--questions', 100)(flags.questions)
  const bench = { questions, seed: flags.seed, ...sealedRound(flags, shell) }
  const found = simulate(bench, progressOn(shell, 'Simulating'))
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(
    flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${simulationLines(found, look).join('\n')}\n`,
  )
  if (flags.html !== undefined) writePage(flags.html, { simulation: found }, shell)
  return found.checks.every(check => check.holds) ? exitCodes.done : exitCodes.failed
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--votes <file>', 'recorded votes (CSV) as the sealed round of the debates')
    .option('--seats <names>', 'only these models of the file')
    .option('--questions <count>', 'how many questions each check asks', '4000')
    .option('--seed <seed>', 'fixes chance', '1')
    .option('--json', 'as JSON')
    .option('--html <file>', 'also write a page with plots')
    .action((flags: SimulateFlags) => finish(run(flags, shell)))
}
