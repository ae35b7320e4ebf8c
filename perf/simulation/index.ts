/** All claims that can be checked without a model, each with its figure. */
import type { Recording } from '../../src/bench/replay.ts'
import { adversaries } from './adversaries.ts'
import type { Bench, Check, CheckResult, Series } from './check.ts'
import { openness } from './openness.ts'
import { optima } from './optima.ts'
import type { SimulatedQuestion } from './simulated-table.ts'

export interface Simulation {
  /** Seats whose recorded votes were the sealed round of the debates; empty if everything was simulated. */
  readonly recorded: readonly string[]
  readonly questions: number
  readonly seed: string
  readonly checks: readonly Check[]
  readonly series: readonly Series[]
}

/** Recorded votes as a sealed round. Only questions that every seat answered. */
export const sealedRoundOf = ({ questions, seats }: Recording): SimulatedQuestion[] =>
  questions
    .filter(({ votes }) => votes.size === seats.length)
    .map(({ gold, votes }) => ({
      gold,
      trap: gold,
      votes: seats.map(seat => ({ seat, value: votes.get(seat)! })),
    }))

const parts: readonly ((bench: Bench) => CheckResult)[] = [optima, openness, adversaries]

export const simulate = (bench: Bench, onProgress?: (done: number, of: number) => void): Simulation => {
  const found = parts.map((part, index) => {
    const result = part(bench)
    onProgress?.(index + 1, parts.length)
    return result
  })
  return {
    recorded: bench.sealed?.[0]?.votes.map(vote => vote.seat) ?? [],
    questions: bench.questions,
    seed: bench.seed,
    checks: found.flatMap(({ checks }) => checks),
    series: found.flatMap(({ series }) => series),
  }
}
