/** How a command ends, for scripts. */
import type { Outcome } from '../../core/log/event.ts'

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
