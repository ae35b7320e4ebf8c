/** Every claim that can be checked without a model, each with its figure. */
import { adversaries } from './adversaries.ts'
import type { Bench, Check, Found, Series } from './check.ts'
import { openness } from './openness.ts'
import { optima } from './optima.ts'

export interface Simulation {
  readonly questions: number
  readonly seed: string
  readonly checks: readonly Check[]
  readonly series: readonly Series[]
}

const parts: readonly ((bench: Bench) => Found)[] = [optima, openness, adversaries]

export const simulate = (bench: Bench, onProgress?: (done: number, of: number) => void): Simulation => {
  const found = parts.map((part, index) => {
    const result = part(bench)
    onProgress?.(index + 1, parts.length)
    return result
  })
  return {
    questions: bench.questions,
    seed: bench.seed,
    checks: found.flatMap(({ checks }) => checks),
    series: found.flatMap(({ series }) => series),
  }
}
