import { readFileSync } from 'node:fs'
import type { Outcome } from '../core/event.ts'

// programVersion: The version of the program.

export const packageVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

// exitCodes: How a command ends, for scripts.

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noQuorum: 3,
  budget: 4,
  interrupted: 130,
} as const

const byOutcome: Record<Outcome, number> = {
  verdict: exitCodes.done,
  'no-quorum': exitCodes.noQuorum,
  budget: exitCodes.budget,
  interrupted: exitCodes.interrupted,
  failed: exitCodes.failed,
}

export const exitCodeOf = (outcome: Outcome | undefined): number =>
  outcome ? byOutcome[outcome] : exitCodes.failed

/** Somebody pressed Ctrl-C. It has a line and an exit code of its own. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** How the person called this program, for commands that are suggested: from a clone there is only `npm run`. */
const scripts = ['roundtable', 'ask', 'start', 'tour']

export const programName = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.npm_package_name === 'roundtable' && scripts.includes(env.npm_lifecycle_event ?? '')
    ? 'npm run roundtable --'
    : 'roundtable'
