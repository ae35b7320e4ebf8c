/** A claim, the figure that a simulation found for it, and whether it holds. */
import type { Interval } from '../../src/bench/replay.ts'
import type { Decision } from '../../src/core/rules.ts'
import type { SimulatedQuestion } from './simulated-table.ts'

export interface Check {
  readonly id: string
  readonly claim: string
  /** What must be found for the claim to hold. */
  readonly expected: string
  readonly figure: string
  readonly value: number
  readonly interval?: Interval
  readonly holds: boolean
}

export interface Series {
  readonly id: string
  readonly title: string
  readonly across: string
  readonly up: string
  readonly lines: readonly {
    readonly label: string
    readonly points: readonly (readonly [number, number])[]
  }[]
}

export interface CheckResult {
  readonly checks: readonly Check[]
  readonly series: readonly Series[]
}

/** What a check may use. Each has its own random stream, so that adding a check doesn't change the others. */
export interface Bench {
  readonly questions: number
  readonly seed: string
  /** Recorded votes that replace the simulated sealed round in debates. */
  readonly sealed?: readonly SimulatedQuestion[]
}

export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`

export const points = (share: number): string => {
  const size = Math.abs(share * 100).toFixed(1)
  if (Number(size) === 0) return size
  return share < 0 ? `−${size}` : `+${size}`
}

/** A tie between two is half right. */
export const creditOf = ({ value, tied }: Decision, gold: string): number => {
  if (value !== null) return value === gold ? 1 : 0
  return tied.includes(gold) ? 1 / tied.length : 0
}
