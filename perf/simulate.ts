/**
 * Checks our claims about rules and debates on simulated seats: `npm run perf:simulate`.
 * Options: --votes <csv> (recorded votes as the sealed round), --seats <names>, --questions <count>, --seed, --json.
 * The exit code is 1 if a claim doesn't hold.
 */

import { parseArgs } from 'node:util'
import { recordingIn } from '../src/bench/command.ts'
import { UsageError } from '../src/core/basics.ts'
import { exitCodes } from '../src/terminal/program-name.ts'
import { paintFor, wholeNumberFrom } from '../src/terminal/terminal.ts'
import { sealedRoundOf, simulate } from './simulation/index.ts'
import { simulationLines } from './simulation/lines.ts'

const optionsFrom = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    options: {
      votes: { type: 'string' },
      seats: { type: 'string' },
      questions: { type: 'string', default: '4000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  }).values

const sealedRound = (votes: string | undefined, seats: string | undefined) => {
  if (votes === undefined) {
    if (seats !== undefined) throw new UsageError('--seats needs --votes, the file with the recorded votes.')
    return {}
  }
  const sealed = sealedRoundOf(recordingIn(votes, seats, { cwd: process.cwd() }))
  if (sealed.length === 0) throw new UsageError(`${votes}: no question was answered by every seat.`)
  return { sealed }
}

const run = (words: readonly string[]): number => {
  const { votes, seats, questions, seed, json } = optionsFrom(words)
  const count = wholeNumberFrom('--questions', 100)(questions)
  const found = simulate({ questions: count, seed, ...sealedRound(votes, seats) })
  const look = { columns: process.stdout.columns ?? 80, paint: paintFor(process.stdout) }
  console.log(json ? JSON.stringify(found, null, 2) : simulationLines(found, look).join('\n'))
  return found.checks.every(check => check.holds) ? exitCodes.done : exitCodes.failed
}

const isUsage = (error: unknown): error is Error =>
  UsageError.isInstance(error) || (error instanceof TypeError && 'code' in error)

try {
  process.exitCode = run(process.argv.slice(2))
} catch (error) {
  if (!isUsage(error)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.usage
}
