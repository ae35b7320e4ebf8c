/**
 * How many threads a model gets. The engine's threads wait for each other at every step: with one more than
 * there are free cores, a reply takes not twice as long but fifty times.
 */
import { availableParallelism, type CpuInfo, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** More threads than this make one answer hardly faster, and the machine much slower. */
const mostThreads = 8
/** Milliseconds that the machine is watched for. Its load average would still tell of an installation that is over. */
const watched = 500

type Core = Pick<CpuInfo, 'times'>

const sumOf = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0)
const allOf = (cores: readonly Core[]): number => sumOf(cores.flatMap(({ times }) => Object.values(times)))
const idleOf = (cores: readonly Core[]): number => sumOf(cores.map(({ times }) => times.idle))

/** How many cores were in use between two looks at all of them. */
export const busyBetween = (before: readonly Core[], after: readonly Core[]): number => {
  const all = allOf(after) - allOf(before)
  return all > 0 ? (1 - (idleOf(after) - idleOf(before)) / all) * after.length : 0
}

/** The cores that nobody else is using, at least one. */
export const freeCores = (cores: number, busy: number): number =>
  Math.max(1, Math.min(mostThreads, cores - Math.round(busy)))

export const freeCoresNow = async (): Promise<number> => {
  const before = cpus()
  await sleep(watched)
  return freeCores(availableParallelism(), busyBetween(before, cpus()))
}
